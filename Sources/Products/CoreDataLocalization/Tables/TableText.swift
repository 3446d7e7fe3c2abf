import Foundation

/// The bytes of a file as text.
enum TableText {
    /// Decodes UTF-8 with or without a mark, and UTF-16 with one; UTF-16 without a mark is found by its zero bytes.
    static func decode(_ data: Data) throws -> String {
        guard data.count <= TableLimits.bytes else {
            throw StringTableError(
                .tooLarge,
                "The file has \(data.count) bytes; at most \(TableLimits.bytes) are read. Divide it into tables.")
        }
        let bytes = [UInt8](data)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return try utf8(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes.dropFirst(2), isBigEndian: true) }
        if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes.dropFirst(2), isBigEndian: false) }
        if bytes.count > 1, bytes[0] == 0 || bytes[1] == 0 { return try utf16(bytes[...], isBigEndian: bytes[0] == 0) }
        return try utf8(bytes[...])
    }

    private static func utf8(_ bytes: ArraySlice<UInt8>) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw StringTableError(.encoding, "The file is not text in UTF-8. Save it as UTF-8.")
        }
        return text
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) throws -> String {
        let bytes = Array(bytes)
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { place -> UInt16 in
            let (one, two) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBigEndian ? one << 8 | two : two << 8 | one
        }
        guard bytes.count % 2 == 0, let text = String(validating: units, as: UTF16.self) else {
            throw StringTableError(.encoding, "The file is not text in UTF-16. Save it as UTF-8.")
        }
        return text
    }
}

/// A place in a text that is read scalar by scalar.
struct TableCursor {
    private let scalars: [Unicode.Scalar]
    private(set) var place = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    var isAtEnd: Bool { place >= scalars.count }

    /// The next scalar; nil at the end.
    var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    /// The scalar after the next one.
    var second: Unicode.Scalar? { place + 1 < scalars.count ? scalars[place + 1] : nil }

    mutating func advance(by count: Int = 1) { place = max(0, min(scalars.count, place + count)) }

    mutating func take() -> Unicode.Scalar? {
        guard place < scalars.count else { return nil }
        defer { place += 1 }
        return scalars[place]
    }

    /// Takes a text of ASCII if it is next.
    mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard scalars.count - place >= count else { return false }
        let isNext = text.withUTF8Buffer { wanted in
            (0..<count).allSatisfy { scalars[place + $0].value == UInt32(wanted[$0]) }
        }
        if isNext { place += count }
        return isNext
    }

    /// Takes what stands before a text, and the text; nil without moving if the text does not follow.
    mutating func take(through end: StaticString) -> String? {
        let start = place
        while place < scalars.count {
            let here = place
            if take(end) { return text(from: start, to: here) }
            place = here + 1
        }
        place = start
        return nil
    }

    /// Takes the scalars for which a condition holds.
    mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
        let start = place
        while place < scalars.count, condition(scalars[place]) { place += 1 }
        return text(from: start, to: place)
    }

    func text(from start: Int, to end: Int) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars[start..<end])
        return text
    }

    /// How often a scalar stands between two places.
    func count(of scalar: Unicode.Scalar, from start: Int, to end: Int) -> Int {
        scalars[start..<end].reduce(0) { $1 == scalar ? $0 + 1 : $0 }
    }

    /// An error at a place, or at the present one.
    func error(
        at place: Int? = nil, _ reason: String, code: StringTableError.Code = .syntax
    ) -> StringTableError {
        let (line, column) = position(of: place ?? self.place)
        return StringTableError(code, line: line, column: column, reason)
    }

    /// The line and the column of a place, both counted from 1.
    func position(of place: Int) -> (line: Int, column: Int) {
        var (line, column) = (1, 1)
        for scalar in scalars.prefix(place) {
            if scalar == "\n" { (line, column) = (line + 1, 1) } else { column += 1 }
        }
        return (line, column)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is white space, found quickly for ASCII.
    var isSpace: Bool { value < 0x80 ? value == 32 || (9...13).contains(value) : properties.isWhitespace }
}
