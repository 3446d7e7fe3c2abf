import Foundation

/// Reads the elements of an XML document one after the other, by the rules of XML 1.0 for documents without a document
/// type: one is refused, and with it all entities but the five of XML itself.
///
/// Invariants:
/// 1. `open` has the names of the elements that have begun and not ended, at most `limits.depth`.
/// 2. No text, name or value is longer than `limits.text` bytes.
struct XMLTokenizer {
    enum Token {
        case start(name: String, attributes: [String: String], TextPosition)
        case end(name: String)
        case text(String)
    }

    let bytes: ByteReader
    let limits: TrackDocument.Limits
    private(set) var open: [String] = []
    var isLatin = false
    private var pendingEnd: String?
    private var hasRoot = false

    init(_ bytes: ByteReader, _ limits: TrackDocument.Limits) { (self.bytes, self.limits) = (bytes, limits) }

    var position: TextPosition { bytes.position }

    func error(
        _ code: TrackError.Code, _ reason: String, hint: String = "", at place: TextPosition? = nil
    ) -> TrackError {
        bytes.error(code, reason, hint: hint, at: place)
    }

    /// The next element's begin or end, or text within one; nil at the end of the document.
    mutating func next() throws(TrackError) -> Token? {
        if let name = pendingEnd {
            pendingEnd = nil
            open.removeLast()
            return .end(name: name)
        }
        while let byte = try bytes.peek() {
            if byte != UInt8(ascii: "<") {
                let place = bytes.position
                let text = try self.text()
                guard open.isEmpty else { return .text(text) }
                guard text.allSatisfy(\.isWhitespace) else {
                    throw error(.malformed, "there is text outside of the outermost element", at: place)
                }
                continue
            }
            if let token = try markup() { return token }
        }
        guard open.isEmpty else {
            throw error(
                .malformed, "the file ends within the element \(open[open.count - 1])", hint: "it may be cut off")
        }
        guard hasRoot else { throw error(.malformed, "the file has no element") }
        return nil
    }

    private mutating func markup() throws(TrackError) -> Token? {
        let place = bytes.position
        _ = try bytes.next()
        switch try bytes.peek() {
        case UInt8(ascii: "?"):
            try instruction(place)
            return nil
        case UInt8(ascii: "!"): return try declaration(place)
        case UInt8(ascii: "/"): return try end(place)
        default: return try start(place)
        }
    }

    // MARK: Elements

    private mutating func start(_ place: TextPosition) throws(TrackError) -> Token {
        let name = try self.name()
        guard !open.isEmpty || !hasRoot else {
            throw error(.malformed, "there is a second outermost element", at: place)
        }
        guard open.count < limits.depth else {
            throw error(.tooLarge, "elements lie more than \(limits.depth) deep in one another", at: place)
        }
        (hasRoot, open) = (true, open + [name])
        var attributes: [String: String] = [:]
        while true {
            let isApart = try isBlank()
            try bytes.skipBlanks()
            switch try bytes.peek() {
            case UInt8(ascii: ">"):
                _ = try bytes.next()
                return .start(name: name, attributes: attributes, place)
            case UInt8(ascii: "/"):
                _ = try bytes.next()
                try take(">", "of an element without contents")
                pendingEnd = name
                return .start(name: name, attributes: attributes, place)
            default:
                guard isApart else { throw error(.malformed, "blanks are missing between the attributes of \(name)") }
                let key = try self.name()
                try bytes.skipBlanks()
                try take("=", "behind the attribute \(key)")
                try bytes.skipBlanks()
                let value = try quoted(key)
                guard attributes.updateValue(value, forKey: key) == nil else {
                    throw error(.malformed, "the element \(name) has the attribute \(key) twice")
                }
                guard attributes.count <= 256 else { throw error(.tooLarge, "\(name) has more than 256 attributes") }
            }
        }
    }

    private mutating func end(_ place: TextPosition) throws(TrackError) -> Token {
        _ = try bytes.next()
        let name = try self.name()
        try bytes.skipBlanks()
        try take(">", "at the end of \(name)")
        guard open.last == name else {
            let wanted = open.last.map { "\($0) is open" } ?? "none is open"
            throw error(.malformed, "the element \(name) ends where \(wanted)", at: place)
        }
        open.removeLast()
        return .end(name: name)
    }

    private func isBlank() throws(TrackError) -> Bool {
        guard let byte = try bytes.peek() else { return false }
        return byte == 32 || byte == 9 || byte == 10 || byte == 13
    }

    func take(_ character: Unicode.Scalar, _ place: String) throws(TrackError) {
        guard try bytes.next() == UInt8(ascii: character) else {
            throw error(.malformed, "\(character) is missing \(place)")
        }
    }

    private func name() throws(TrackError) -> String {
        var found: [UInt8] = []
        while let byte = try bytes.peek(), Self.isOfName(byte, isFirst: found.isEmpty) {
            found.append(byte)
            _ = try bytes.next()
            guard found.count <= 1024 else { throw error(.tooLarge, "a name is longer than 1024 bytes") }
        }
        guard !found.isEmpty else { throw error(.malformed, "a name is missing") }
        return try string(found)
    }

    private static func isOfName(_ byte: UInt8, isFirst: Bool) -> Bool {
        let isLetter = byte >= 128 || (byte | 32 >= 97 && byte | 32 <= 122) || byte == 95 || byte == 58
        return isLetter || (!isFirst && ((48...57).contains(byte) || byte == 45 || byte == 46))
    }
}
