import Foundation

/// Values of JSON with their places; lists of numbers are kept compactly, since tracks consist of them.
indirect enum JSONNode {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    /// A list of nothing but numbers, and where it begins.
    case numbers([Double], TextPosition)
    case list([JSONNode], TextPosition)
    case object([String: JSONNode], TextPosition)

    var position: TextPosition? {
        switch self {
        case .numbers(_, let place), .list(_, let place), .object(_, let place): place
        default: nil
        }
    }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    subscript(key: String) -> JSONNode? {
        if case .object(let members, _) = self { members[key] } else { nil }
    }
    /// The elements of a list.
    var elements: [JSONNode]? {
        switch self {
        case .list(let elements, _): elements
        case .numbers(let numbers, _): numbers.map { .number($0) }
        default: nil
        }
    }
}

/// Reads JSON by RFC 8259, with line and column of what breaks it.
struct JSONTokenizer {
    private let bytes: ByteReader
    private let limits: TrackDocument.Limits
    private var depth = 0
    private var lists = 0

    init(_ bytes: ByteReader, _ limits: TrackDocument.Limits) { (self.bytes, self.limits) = (bytes, limits) }

    /// The only value of the text.
    mutating func document() throws(TrackError) -> JSONNode {
        let value = try self.value()
        try bytes.skipBlanks()
        guard try bytes.peek() == nil else { throw bytes.error(.malformed, "there is more behind the outermost value") }
        return value
    }

    private mutating func value() throws(TrackError) -> JSONNode {
        try bytes.skipBlanks()
        guard let byte = try bytes.peek() else {
            throw bytes.error(.malformed, "the file ends where a value is due", hint: "it may be cut off")
        }
        switch byte {
        case UInt8(ascii: "{"): return try nested { (self) throws(TrackError) in try self.object() }
        case UInt8(ascii: "["): return try nested { (self) throws(TrackError) in try self.list() }
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .flag(true))
        case UInt8(ascii: "f"): return try word("false", .flag(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func nested(
        _ body: (inout JSONTokenizer) throws(TrackError) -> JSONNode
    ) throws(TrackError) -> JSONNode {
        guard depth < limits.depth else {
            throw bytes.error(.tooLarge, "values lie more than \(limits.depth) deep in one another")
        }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    private mutating func object() throws(TrackError) -> JSONNode {
        let place = bytes.position
        _ = try bytes.next()
        var members: [String: JSONNode] = [:]
        try bytes.skipBlanks()
        if try bytes.peek() == UInt8(ascii: "}") {
            _ = try bytes.next()
            return .object(members, place)
        }
        while true {
            try bytes.skipBlanks()
            guard try bytes.peek() == UInt8(ascii: "\"") else { throw bytes.error(.malformed, "a key is missing") }
            let key = try string()
            try bytes.skipBlanks()
            guard try bytes.next() == UInt8(ascii: ":") else {
                throw bytes.error(.malformed, "a colon is missing behind the key \(key.prefix(40))")
            }
            members[key] = try value()
            try bytes.skipBlanks()
            switch try bytes.next() {
            case UInt8(ascii: ","): continue
            case UInt8(ascii: "}"): return .object(members, place)
            default: throw bytes.error(.malformed, "a comma or } is missing behind a member")
            }
        }
    }

    private mutating func list() throws(TrackError) -> JSONNode {
        let place = bytes.position
        lists += 1
        // A point is a list, and there are few others.
        guard lists <= 2 * limits.points + 1000 else {
            throw bytes.error(.tooLarge, "there are more than \(limits.points) points", hint: "divide the file")
        }
        _ = try bytes.next()
        var numbers: [Double] = []
        var others: [JSONNode]?
        try bytes.skipBlanks()
        if try bytes.peek() == UInt8(ascii: "]") {
            _ = try bytes.next()
            return .numbers([], place)
        }
        while true {
            let element = try value()
            if case .number(let number) = element, others == nil {
                numbers.append(number)
                guard numbers.count <= limits.points else {
                    throw bytes.error(.tooLarge, "a list of numbers is too long")
                }
            } else {
                others = (others ?? numbers.map { .number($0) })
                others?.append(element)
                guard (others?.count ?? 0) <= limits.points else { throw bytes.error(.tooLarge, "a list is too long") }
            }
            try bytes.skipBlanks()
            switch try bytes.next() {
            case UInt8(ascii: ","): continue
            case UInt8(ascii: "]"): return others.map { .list($0, place) } ?? .numbers(numbers, place)
            default: throw bytes.error(.malformed, "a comma or ] is missing behind an element")
            }
        }
    }
}

// MARK: Texts and numbers

extension JSONTokenizer {
    private func word(_ word: String, _ value: JSONNode) throws(TrackError) -> JSONNode {
        let place = bytes.position
        for byte in word.utf8 where try bytes.next() != byte {
            throw bytes.error(.malformed, "this is no value of JSON", at: place)
        }
        return value
    }

    private func number() throws(TrackError) -> Double {
        let place = bytes.position
        var found: [UInt8] = []
        while let byte = try bytes.peek(), (48...57).contains(byte) || "+-.eE".utf8.contains(byte), found.count <= 400 {
            found.append(byte)
            _ = try bytes.next()
        }
        let digits = found.first == 45 ? found.dropFirst() : found[...]
        let isZeroFirst =
            digits.count > 1 && digits.first == 48 && (digits.dropFirst().first.map { (48...57).contains($0) } ?? false)
        guard let first = digits.first, (48...57).contains(first), !isZeroFirst, found.last != 46,
            let number = Double(String(decoding: found, as: UTF8.self)), number.isFinite
        else { throw bytes.error(.malformed, "this is no value of JSON", at: place) }
        return number
    }

    private func string() throws(TrackError) -> String {
        let place = bytes.position
        _ = try bytes.next()
        var found: [UInt8] = []
        while let byte = try bytes.next(), byte != UInt8(ascii: "\"") {
            guard byte >= 32 else { throw bytes.error(.malformed, "a text has a control character") }
            if byte == UInt8(ascii: "\\") { found += Array(String(try escape()).utf8) } else { found.append(byte) }
            guard found.count <= limits.text else {
                throw bytes.error(.tooLarge, "a text is longer than \(limits.text) bytes", at: place)
            }
        }
        guard let text = String(validating: found, as: UTF8.self) else {
            throw bytes.error(.malformed, "a text is not in UTF-8", hint: "save the file in UTF-8", at: place)
        }
        return text
    }

    private func escape() throws(TrackError) -> Unicode.Scalar {
        switch try bytes.next() {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unit()
        default: throw bytes.error(.malformed, "an escape is not of JSON")
        }
    }

    private func unit() throws(TrackError) -> Unicode.Scalar {
        let first = try hexadecimal()
        guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        guard try bytes.next() == UInt8(ascii: "\\"), try bytes.next() == UInt8(ascii: "u") else {
            throw bytes.error(.malformed, "half a character of UTF-16 stands alone")
        }
        let second = try hexadecimal()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw bytes.error(.malformed, "half a character of UTF-16 stands alone") }
        return scalar
    }

    private func hexadecimal() throws(TrackError) -> UInt32 {
        var digits: [UInt8] = []
        for _ in 0..<4 { if let byte = try bytes.next() { digits.append(byte) } }
        guard digits.count == 4, digits.allSatisfy({ $0 != 43 && $0 != 45 }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw bytes.error(.malformed, "an escape has no four hexadecimal digits") }
        return value
    }
}
