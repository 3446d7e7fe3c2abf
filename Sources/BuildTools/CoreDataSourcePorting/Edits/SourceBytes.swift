/// A source as bytes, with what edits ask of its lines.
struct SourceBytes {
    let bytes: [UInt8]
    /// What ends the source's lines.
    let newline: String

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let first = bytes.firstIndex(of: UInt8(ascii: "\n"))
        newline = first.map { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") } == true ? "\r\n" : "\n"
    }

    /// Whether only blanks are before a place on its line.
    func startsLine(_ place: Int) -> Bool { lineStart(place) + indent(at: place).utf8.count == place }

    /// The blanks that the line of a place begins with.
    func indent(at place: Int) -> String {
        let line = bytes[lineStart(place)..<place].prefix { Self.isBlank($0) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Where the line of a place begins, behind a byte order mark.
    private func lineStart(_ place: Int) -> Int {
        let start = bytes[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? min(3, place) : start
    }

    /// The end of what stands on the line of a place, if it is nothing or a comment; nil if code follows.
    func lineEnd(after place: Int) -> Int? {
        let end = bytes[place...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? bytes.count
        let rest = bytes[place..<end].drop { Self.isBlank($0) }
        return rest.isEmpty || rest.starts(with: "//".utf8) ? end : nil
    }

    /// The next place that is not white space.
    func nextText(after place: Int) -> Int {
        bytes[place...].firstIndex { !Self.isBlank($0) && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            ?? bytes.count
    }

    /// Where the blanks before a place begin.
    func textEnd(before place: Int) -> Int {
        bytes[..<place].lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? 0
    }

    /// Whether nothing stands in a range.
    func isBlank(_ range: Range<Int>) -> Bool { nextText(after: range.lowerBound) >= range.upperBound }

    /// A range with the rest of its lines: the indent, the line end, and an empty line before.
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
