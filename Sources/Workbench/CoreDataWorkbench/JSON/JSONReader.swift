import CoreData

/// Reads JSON whose numbers keep their digits and whose objects keep the order of their members.
///
/// Bytes that are not UTF-8, unpaired surrogates, duplicate keys in an object and too deep nesting are refused, with
/// line and column; the message never contains parts of the text.
package struct JSONReader {
    private static let greatestDepth = 128
    /// The number of members above which duplicate keys are found by a set of keys; keys of smaller objects are
    /// compared one by one.
    private static let fewMembers = 16

    /// Valid only during a call of `values`.
    private let bytes: UnsafeBufferPointer<UInt8>
    private let firstLine: Int
    private var place = 0

    /// Reads the values in a text: one, or several one after another, such as one a line.
    ///
    /// `line` is the number of the text's first line, for errors.
    /// - Throws: `InspectionError` of code `badValue`.
    package static func values(in bytes: [UInt8], of source: String, line: Int = 1) throws -> [JSONValue] {
        try bytes.withUnsafeBufferPointer { try values(in: $0, of: source, line: line) }
    }

    /// The same for bytes in a buffer that stays valid during the call.
    package static func values(
        in bytes: UnsafeBufferPointer<UInt8>, of source: String, line: Int = 1
    ) throws -> [JSONValue] {
        var reader = JSONReader(bytes: bytes, firstLine: line)
        // Some editors begin a file with a byte-order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.place = 3 }
        do {
            var values: [JSONValue] = []
            reader.skipBlanks()
            while reader.place < bytes.count {
                values.append(try reader.value(depth: 0))
                reader.skipBlanks()
            }
            guard values.isEmpty else { return values }
            throw Failure(reason: "there is nothing")
        } catch let failure as Failure {
            throw InspectionError(
                .badValue, subject: source, cause: "this is not JSON: \(failure.reason) \(reader.position)",
                hint: "it looks like {\"key\": value}")
        }
    }

    private struct Failure: Error {
        let reason: String
    }

    /// The line and the byte at which the reader stopped.
    private var position: String {
        let before = bytes[..<min(place, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + firstLine
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return "at line \(line), byte \(before.count - start + 1)"
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, firstLine: Int) {
        self.bytes = bytes
        self.firstLine = firstLine
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B && byte != 0x0C {
            place += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }

    private mutating func value(depth: Int) throws -> JSONValue {
        guard depth < Self.greatestDepth else {
            throw Failure(reason: "it is nested deeper than \(Self.greatestDepth) levels")
        }
        guard let next else { throw Failure(reason: "the end comes where a value is expected") }
        switch next {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: return try word()
        }
    }

    private mutating func word() throws -> JSONValue {
        for (word, value) in [("null", JSONValue.null), ("true", .bool(true)), ("false", .bool(false))]
        where bytes[place...].starts(with: word.utf8) {
            place += word.utf8.count
            return value
        }
        throw Failure(reason: "a value is expected")
    }

    private mutating func array(_ depth: Int) throws -> JSONValue {
        var elements: [JSONValue] = []
        try list(end: UInt8(ascii: "]")) { reader in elements.append(try reader.value(depth: depth + 1)) }
        return .array(elements)
    }

    private mutating func object(_ depth: Int) throws -> JSONValue {
        var members: [JSONValue.Member] = []
        var seen: Set<String> = []
        func isNew(_ key: String) -> Bool {
            guard members.count >= Self.fewMembers else { return !members.contains { $0.key == key } }
            if seen.isEmpty { seen = Set(members.map(\.key)) }
            return seen.insert(key).inserted
        }
        try list(end: UInt8(ascii: "}")) { reader in
            guard reader.next == UInt8(ascii: "\"") else { throw Failure(reason: "a key in quotes is expected") }
            let key = try reader.string()
            guard isNew(key) else { throw Failure(reason: "an object has the same key twice") }
            reader.skipBlanks()
            guard reader.take(UInt8(ascii: ":")) else { throw Failure(reason: "':' is expected") }
            reader.skipBlanks()
            members.append(JSONValue.Member(key: key, value: try reader.value(depth: depth + 1)))
        }
        return .members(members)
    }

    /// Reads the elements between brackets, which are separated by commas.
    private mutating func list(end: UInt8, _ element: (inout JSONReader) throws -> Void) throws {
        place += 1
        skipBlanks()
        if take(end) { return }
        while true {
            try element(&self)
            skipBlanks()
            if take(end) { return }
            guard take(UInt8(ascii: ",")) else {
                throw Failure(reason: "',' or '\(Character(Unicode.Scalar(end)))' is expected")
            }
            skipBlanks()
        }
    }

    private mutating func number() throws -> JSONValue {
        let start = place
        _ = take(UInt8(ascii: "-"))
        let hasLeadingZero = next == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, whole == 1 || !hasLeadingZero else { throw Failure(reason: "this is not a number") }
        if take(UInt8(ascii: ".")), digits() == 0 { throw Failure(reason: "this is not a number") }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            if digits() == 0 { throw Failure(reason: "this is not a number") }
        }
        return .number(String(decoding: bytes[start..<place], as: UTF8.self))
    }

    /// Skips digits and returns their number.
    private mutating func digits() -> Int {
        let start = place
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
        return place - start
    }

    // MARK: Texts

    private mutating func string() throws -> String {
        place += 1
        let first = place
        // Most texts contain no escapes and are decoded in place; bytes are only copied for a text with an escape.
        var copied: [UInt8]?
        var start = place
        var bits: UInt8 = 0
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                let rest = bytes[start..<place]
                place += 1
                guard var text = copied else { return try Self.text(rest, isASCII: bits < 0x80, at: first, &place) }
                text += rest
                return try text.withUnsafeBufferPointer {
                    try Self.text($0[...], isASCII: false, at: first, &place)
                }
            case UInt8(ascii: "\\"):
                copied = (copied ?? []) + bytes[start..<place]
                copied?.append(contentsOf: try escape().utf8)
                start = place
            case 0..<0x20: throw Failure(reason: "a text has a control character that is not escaped")
            default:
                bits |= byte
                place += 1
            }
        }
        throw Failure(reason: "a text has no end")
    }

    private static func text(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>, isASCII: Bool, at first: Int, _ place: inout Int
    ) throws -> String {
        let bytes = UnsafeBufferPointer(rebasing: bytes)
        if isASCII { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            place = first
            throw Failure(reason: "a text is not UTF-8")
        }
        return text
    }

    private mutating func escape() throws -> String {
        place += 1
        guard let letter = next else { throw Failure(reason: "a text has no end") }
        place += 1
        switch letter {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(Unicode.Scalar(letter))
        case UInt8(ascii: "u"): return try character()
        default: throw Failure(reason: "a text has an escape that JSON does not know")
        }
    }

    /// The character of one `\u` escape, or of two that form a surrogate pair.
    private mutating func character() throws -> String {
        var units = [try unit()]
        if UTF16.isLeadSurrogate(units[0]), take(UInt8(ascii: "\\")) {
            guard take(UInt8(ascii: "u")) else { throw Failure(reason: "a text has half of a surrogate pair") }
            units.append(try unit())
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw Failure(reason: "a text has half of a surrogate pair")
        }
        return text
    }

    private mutating func unit() throws -> UInt16 {
        let end = min(place + 4, bytes.count)
        let digits = String(decoding: bytes[place..<end], as: UTF8.self)
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else {
            throw Failure(reason: "\\u needs four hexadecimal digits")
        }
        place = end
        return unit
    }
}
