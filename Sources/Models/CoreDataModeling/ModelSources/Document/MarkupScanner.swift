/// Reads the bytes of a model's source into a tree that keeps their spelling.
///
/// A small part of XML is enough for models: elements, attributes, comments, the five predefined entities and numbered
/// characters. Document types and other entities are refused, whether or not they would be used.
struct MarkupScanner {
    static let greatestDepth = 64
    static let greatestAttributeCount = 256
    static let greatestElementCount = 2_000_000

    let bytes: [UInt8]
    var index = 0
    private var line = 1
    private var lineStart = 0
    var elementCount = 0

    /// - Precondition: the bytes are UTF-8 without zeros.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the entire document: the text before the root element, the element, and the text after it.
    ///
    /// - Throws: `ModelingError` with the place.
    mutating func scanDocument() throws -> (prolog: String, root: ModelElement, epilog: String) {
        if starts(with: "\u{FEFF}") { skip(3) }
        lineStart = index
        if starts(with: "<?xml") { try scanDeclaration() }
        try skipMiscellany()
        let prolog = text(from: 0)
        guard !isAtEnd else { throw malformed("the file holds no <model>") }
        let root = try scanElement(depth: 1)
        let start = index
        try skipMiscellany()
        guard isAtEnd else { throw malformed("there is something behind the end of <\(root.name)>") }
        return (prolog, root, text(from: start))
    }

    /// Skips what may stand outside the root element.
    private mutating func skipMiscellany() throws {
        while !isAtEnd {
            skipWhiteSpace()
            guard try skipMarkup() else { return }
        }
    }

    /// Skips a comment or a processing instruction; false at anything else.
    mutating func skipMarkup() throws -> Bool {
        if starts(with: "<!--") {
            try skip(through: "-->", after: 4, of: "comment")
        } else if starts(with: "<?") {
            try skip(through: "?>", after: 2, of: "processing instruction")
        } else if starts(with: "<!DOCTYPE") || starts(with: "<!ENTITY") {
            throw ModelingError(
                .forbiddenConstruct, "the model declares a document type or an entity", at: place)
        } else {
            return false
        }
        return true
    }

    /// Another encoding than UTF-8 would give the bytes another meaning than the one that they are read with.
    private mutating func scanDeclaration() throws {
        let start = index
        let place = place
        try skip(through: "?>", after: 5, of: "declaration")
        let declaration = text(from: start)
        guard let declared = declaration.range(of: "encoding") else { return }
        let rest = declaration[declared.upperBound...].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return }
        let name = rest.dropFirst().prefix { $0 != quote }.uppercased()
        guard ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name) else {
            throw ModelingError(.forbiddenConstruct, "the model is declared to be in \(name), not in UTF-8", at: place)
        }
    }

    // MARK: Bytes

    var isAtEnd: Bool { index >= bytes.count }

    var place: SourcePlace { SourcePlace(line: line, column: index - lineStart + 1) }

    /// The next byte; zero, which no source contains, at the end.
    var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

    func starts(with prefix: StaticString) -> Bool {
        guard bytes.count - index >= prefix.utf8CodeUnitCount, prefix.utf8Start.pointee == bytes[index] else {
            return false
        }
        return prefix.withUTF8Buffer { buffer in
            for offset in 0..<buffer.count where bytes[index + offset] != buffer[offset] { return false }
            return true
        }
    }

    mutating func advance() {
        if bytes[index] == UInt8(ascii: "\n") {
            line += 1
            lineStart = index + 1
        }
        index += 1
    }

    /// Skips bytes that do not contain a line break.
    mutating func skip(_ count: Int) { index += count }

    mutating func skipWhiteSpace() {
        while isWhiteSpace(next) { advance() }
    }

    private func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0xA || byte == 0x9 || byte == 0xD }

    mutating func skip(through end: StaticString, after start: Int, of construct: String) throws {
        let place = place
        skip(start)
        while !starts(with: end) {
            guard !isAtEnd else { throw ModelingError(.malformed, "the \(construct) has no end", at: place) }
            try checkCharacter()
            advance()
        }
        skip(end.utf8CodeUnitCount)
    }

    func text(from start: Int) -> String { String(decoding: bytes[start..<index], as: UTF8.self) }

    /// The white space from a place to here, which is mostly a blank or nothing.
    func space(from start: Int) -> String {
        if index == start { return "" }
        return index == start + 1 && bytes[start] == 0x20 ? " " : text(from: start)
    }

    /// Skips what is allowed, begins no markup and no reference, breaks no line and is not the given byte.
    mutating func skipPlain(until end: UInt8) {
        var place = index
        while place < bytes.count {
            let byte = bytes[place]
            guard byte >= 0x20, byte < 0xEF, byte != UInt8(ascii: "&"), byte != UInt8(ascii: "<"), byte != end else {
                break
            }
            place += 1
        }
        index = place
    }

    func malformed(_ cause: String) -> ModelingError { ModelingError(.malformed, cause, at: place) }

    /// Refuses the characters that are valid UTF-8 and no XML.
    func checkCharacter() throws {
        let byte = bytes[index]
        if byte >= 0x20, byte < 0xEF { return }
        guard byte >= 0x20 || byte == 0x9 || byte == 0xA || byte == 0xD else {
            throw malformed("there is a control character")
        }
        if byte == 0xEF, index + 2 < bytes.count, bytes[index + 1] == 0xBF, bytes[index + 2] >= 0xBE {
            throw malformed("there is a character that XML does not allow")
        }
    }
}
