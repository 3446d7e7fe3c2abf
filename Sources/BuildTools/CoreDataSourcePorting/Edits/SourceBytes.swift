/// The bytes of a source, with queries about its lines and white space for edits.
struct SourceBytes {
    let bytes: [UInt8]
    /// The line break of the source: CRLF if its first line ends so, otherwise LF.
    let newline: String

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let first = bytes.firstIndex(of: UInt8(ascii: "\n"))
        newline = first.map { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") } == true ? "\r\n" : "\n"
    }

    /// Whether only spaces and tabs precede a byte offset on its line.
    func startsLine(_ place: Int) -> Bool { lineStart(place) + indent(at: place).utf8.count == place }

    /// The spaces and tabs that begin the line of a byte offset, up to this offset.
    func indent(at place: Int) -> String {
        let line = bytes[lineStart(place)..<place].prefix { Self.isBlank($0) }
        return String(decoding: line, as: UTF8.self)
    }

    /// The offset at which the line of a byte offset begins; on the first line, after a byte order mark.
    private func lineStart(_ place: Int) -> Int {
        let start = bytes[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? min(3, place) : start
    }

    /// The end of the line of a byte offset if only blanks or a `//` comment follow the offset; nil if code follows.
    func lineEnd(after place: Int) -> Int? {
        let end = bytes[place...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? bytes.count
        let rest = bytes[place..<end].drop { Self.isBlank($0) }
        return rest.isEmpty || rest.starts(with: "//".utf8) ? end : nil
    }

    /// The first offset from a place on whose byte is not a space, tab or line break; the byte count if none is left.
    func nextText(after place: Int) -> Int {
        bytes[place...].firstIndex { !Self.isBlank($0) && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            ?? bytes.count
    }

    /// The offset at which the spaces and tabs directly before a place begin.
    func textEnd(before place: Int) -> Int {
        bytes[..<place].lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? 0
    }

    /// Whether a range contains only white space.
    func isBlank(_ range: Range<Int>) -> Bool { nextText(after: range.lowerBound) >= range.upperBound }

    /// A range extended to complete lines and the empty line before them; unchanged if other code shares its lines.
    func wholeLines(_ range: Range<Int>) -> Range<Int> {
        guard startsLine(range.lowerBound), let end = lineEnd(after: range.upperBound) else { return range }
        var start = lineStart(range.lowerBound)
        let before = bytes[..<start].dropLast()
        if !before.isEmpty, startsLine(before.endIndex),
            indent(at: before.endIndex).utf8.count + lineStart(before.endIndex) == before.endIndex
        {
            start = lineStart(before.endIndex)
        }
        let next = bytes[end...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
        return start..<next
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
