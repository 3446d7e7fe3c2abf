import Foundation

/// A path as the bytes that the system has, which need not be UTF-8, and whose equality is not that of composed characters.
struct BytePath: Hashable, Comparable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
    init(_ text: String) { bytes = Array(text.utf8) }

    /// The path as text; bytes that are not UTF-8 are shown as replacement characters.
    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// Whether `text` is the whole path.
    var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    // In blocks of memory and not byte by byte: a scan compares and hashes the paths of all files.
    static func < (one: Self, other: Self) -> Bool {
        one.bytes.withUnsafeBytes { one in
            other.bytes.withUnsafeBytes { other in
                let common = min(one.count, other.count)
                guard common > 0, let first = one.baseAddress, let second = other.baseAddress else {
                    return one.count < other.count
                }
                let order = memcmp(first, second, common)
                return order == 0 ? one.count < other.count : order < 0
            }
        }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(bytes.count)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    func appending(_ name: BytePath) -> BytePath {
        if bytes.isEmpty { return name }
        return BytePath(bytes.last == UInt8(ascii: "/") ? bytes + name.bytes : bytes + [UInt8(ascii: "/")] + name.bytes)
    }

    /// The last part.
    var name: BytePath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return BytePath(Array(bytes[(slash + 1)...]))
    }

    /// What is before the last part; empty if there is nothing.
    var folder: BytePath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return BytePath([UInt8]()) }
        return BytePath(Array(bytes[..<max(slash, 1)]))
    }

    /// The extension in lower case, if it has only letters and digits and at most five.
    var filenameExtension: String {
        var letters: [UInt8] = []
        var place = bytes.count - 1
        while place >= 0, bytes[place] != UInt8(ascii: ".") {
            let byte = bytes[place] >= 65 && bytes[place] <= 90 ? bytes[place] + 32 : bytes[place]
            guard (byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57), letters.count < 5 else { return "" }
            letters.append(byte)
            place -= 1
        }
        // A name that begins with its only dot has none.
        guard place > 0, bytes[place - 1] != UInt8(ascii: "/"), !letters.isEmpty else { return "" }
        return String(decoding: letters.reversed(), as: UTF8.self)
    }

    /// The name without its extension, as text.
    var stem: String {
        let text = name.text
        guard !filenameExtension.isEmpty, let dot = text.lastIndex(of: ".") else { return text }
        return String(text[..<dot])
    }

    /// Without `.` and `..` and empty parts; nil if `..` leads out of a relative path.
    var normalized: BytePath? {
        let slash = UInt8(ascii: "/")
        var parts: [ArraySlice<UInt8>] = []
        for part in bytes.split(separator: slash) where part != [UInt8(ascii: ".")] {
            if part == [UInt8(ascii: "."), UInt8(ascii: ".")] {
                guard parts.popLast() != nil else { return nil }
            } else {
                parts.append(part)
            }
        }
        let joined = Array(parts.joined(separator: [slash]))
        return BytePath(bytes.first == slash ? [slash] + joined : joined)
    }

    /// The path relative to a folder; nil if it is not in it.
    func relative(to folder: BytePath) -> BytePath? {
        let prefix = folder.bytes.last == UInt8(ascii: "/") ? folder.bytes : folder.bytes + [UInt8(ascii: "/")]
        guard bytes.count > prefix.count, bytes.starts(with: prefix) else { return nil }
        return BytePath(Array(bytes[prefix.count...]))
    }

    /// Calls a block with the path as a C string.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        try (bytes + [0]).withUnsafeBufferPointer { buffer in
            try buffer.withMemoryRebound(to: CChar.self) { text in
                // The buffer has at least the byte that ends it.
                try text.baseAddress.map(body) ?? "".withCString(body)
            }
        }
    }
}
