import Foundation

/// A playlist file: entries in their order, with duplicates.
///
/// Source of the format: the M3U files of Winamp, with `#EXTM3U`, `#EXTINF` and `#PLAYLIST`; files ending in `m3u8` are UTF-8, others UTF-8 if they are
/// valid, else Latin-1.
struct M3UPlaylist: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        /// The path or URL as the file has it.
        var location: [UInt8]
        var title: String?
        /// In seconds; nil if it is not stated.
        var duration: Double?
    }

    /// As the file names itself.
    var name: String?
    var entries: [Entry] = []

    static let greatestSize = 16 << 20
    static let greatestCount = 100_000
    static let greatestLine = 16 << 10

    /// Reads a file.
    ///
    /// - Throws: ``MediaLibraryError`` of code `unusablePlaylist` for files that are too large, or are no text.
    init(_ bytes: [UInt8]) throws {
        guard bytes.count <= Self.greatestSize else {
            throw Self.unusable("it has more than \(Self.greatestSize) bytes")
        }
        guard !bytes.contains(0) else { throw Self.unusable("it is no text") }
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        let body = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...]
        var (title, duration) = (nil as String?, nil as Double?)
        for line in body.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
            let line = Self.trimmed(line)
            guard !line.isEmpty else { continue }
            guard line.count <= Self.greatestLine else {
                throw Self.unusable("a line has more than \(Self.greatestLine) bytes")
            }
            if line.first == UInt8(ascii: "#") {
                let text = Self.text(line, isUTF8: isUTF8)
                if let rest = Self.rest(of: text, after: "#EXTINF:") {
                    (duration, title) = Self.information(rest)
                } else if let rest = Self.rest(of: text, after: "#PLAYLIST:") {
                    name = rest.trimmingCharacters(in: .whitespaces)
                }
                continue
            }
            guard entries.count < Self.greatestCount else {
                throw Self.unusable("it has more than \(Self.greatestCount) entries")
            }
            let location = isUTF8 ? line : Array(Self.text(line, isUTF8: false).utf8)
            entries.append(Entry(location: location, title: title, duration: duration))
            (title, duration) = (nil, nil)
        }
    }

    init(name: String?, entries: [Entry]) { (self.name, self.entries) = (name, entries) }

    private static func unusable(_ reason: String) -> MediaLibraryError {
        MediaLibraryError(
            .unusablePlaylist, "The playlist cannot be read: \(reason)", hint: "repair the file or remove it")
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> [UInt8] {
        let isSpace: (UInt8) -> Bool = { $0 == 32 || $0 == 9 }
        guard let first = line.firstIndex(where: { !isSpace($0) }), let last = line.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return Array(line[first...last])
    }

    private static func text(_ bytes: [UInt8], isUTF8: Bool) -> String {
        isUTF8
            ? String(decoding: bytes, as: UTF8.self)
            : String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func rest(of line: String, after prefix: String) -> String? {
        guard line.prefix(prefix.count).uppercased() == prefix else { return nil }
        return String(line.dropFirst(prefix.count))
    }

    /// `123 key="value",Artist - Title`: the comma that ends the numbers is the first outside quotes.
    private static func information(_ text: String) -> (Double?, String?) {
        var isQuoted = false
        let comma = text.firstIndex { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
        let head = comma.map { text[..<$0] } ?? text[...]
        let number = head.split(separator: " ").first.flatMap { Double($0) }
        let title = comma.map { text[text.index(after: $0)...].trimmingCharacters(in: .whitespaces) }
        return (number.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }, title.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// Where an entry's file is, for a playlist in a folder; nil for files on the network and those that no path can name.
    static func path(of location: [UInt8], in folder: BytePath) -> BytePath? {
        let text = String(decoding: location, as: UTF8.self)
        if let scheme = text.range(of: "://"), text[..<scheme.lowerBound].allSatisfy({ $0.isASCII && $0.isLetter }) {
            guard let url = URL(string: text), url.isFileURL,
                url.host == nil || url.host == "" || url.host == "localhost"
            else { return nil }
            return BytePath(url.path).normalized
        }
        let bytes =
            location.contains(UInt8(ascii: "/")) ? location : location.map { $0 == 0x5c ? UInt8(ascii: "/") : $0 }
        return (bytes.first == UInt8(ascii: "/") ? BytePath(bytes) : folder.appending(BytePath(bytes))).normalized
    }

    /// The file, in UTF-8.
    var data: Data {
        var lines = ["#EXTM3U"]
        if let name { lines.append("#PLAYLIST:\(Self.oneLine(name))") }
        var bytes = Array(lines.joined(separator: "\n").utf8)
        for entry in entries {
            let seconds = entry.duration.flatMap { $0 < 1e9 ? Int($0.rounded()) : nil } ?? -1
            bytes += Array("\n#EXTINF:\(seconds),\(Self.oneLine(entry.title ?? ""))\n".utf8) + entry.location
        }
        return Data(bytes + [10])
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: { $0.isNewline }).joined(separator: " ")
    }
}
