/// Splits XML into tokens, piece by piece, with memory for the largest token only.
///
/// It supports the part of XML that models, stores and property lists need: elements, attributes, texts, character
/// data, comments, the five predefined entities and character references, in UTF-8. Document types with declarations
/// and references to other entities are refused, even if unused; so is what exceeds the rules' limits.
///
/// Offsets are in bytes of the document, from 0. Those of a token are valid until the next token is read.
///
/// Invariant: tokens are in the order of the document, each start tag is followed by its end tag, and the document is
/// well-formed up to the last token. Names and texts are validated as UTF-8 only when strings are made from them.
package struct MarkupLexer {
    package enum Token: Hashable, Sendable {
        /// `<a …>`
        case startTag
        /// `<a …/>`
        case emptyTag
        /// `</a>`
        case endTag
        /// Characters with their references; a long text comes in several tokens.
        case text
        /// `<![CDATA[…]]>`
        case characterData
        /// A comment, a processing instruction, the declaration or a document type.
        case other
    }

    /// The offsets of an attribute: white space, the name, `=` with the white space around it, and the value in quotes.
    package struct Attribute: Hashable, Sendable {
        let start: Int
        package let name: Range<Int>
        /// The text between the quotes, with its references.
        package let value: Range<Int>

        var space: Range<Int> { start..<name.lowerBound }
        var equals: Range<Int> { name.upperBound..<value.lowerBound - 1 }
        var quote: Range<Int> { value.lowerBound - 1..<value.lowerBound }
    }

    /// An element whose end tag has not been read; its name is in `openNames`.
    struct OpenElement {
        let nameLength: Int
        let place: SourcePlace
    }

    /// For a document that is read in pieces, a longer text is returned in several tokens.
    private static let longText = 1 << 16

    let rules: MarkupRules
    private let refill: () throws -> [UInt8]
    /// The bytes in memory, from the start of the current token on.
    var buffer: [UInt8]
    /// The offset of the first byte in the buffer.
    private var passed = 0
    /// The index in the buffer of the next byte to read.
    var index = 0
    /// The index in the buffer of the current token's first byte.
    private var tokenStart = 0
    private var isExhausted: Bool
    private(set) var line = 1
    private var lineStart = 0
    var open: [OpenElement] = []
    var openNames: [UInt8] = []
    var rootName: String?
    var elementCount = 0

    /// The position of the current token.
    package private(set) var tokenPlace = SourcePlace(line: 1, column: 1)
    /// The attributes of the current start tag.
    package var attributes: [Attribute] = []
    /// The offsets of the name in the current tag.
    package var name = 0..<0
    /// The offsets of the white space before the end of the current tag.
    var closingSpace = 0..<0

    /// - Parameter bytes: the entire document.
    package init(_ bytes: [UInt8], rules: MarkupRules) {
        (buffer, isExhausted, self.rules) = (bytes, true, rules)
        refill = { [] }
    }

    /// - Parameter refill: returns the next bytes, or none at the end.
    package init(rules: MarkupRules, refill: @escaping () throws -> [UInt8]) {
        (buffer, isExhausted, self.rules) = ([], false, rules)
        self.refill = refill
    }

    /// The offsets of the current token.
    package var range: Range<Int> { passed + tokenStart..<offset }

    /// The offset of the next byte to read.
    package var offset: Int { passed + index }

    /// The position of the next byte to read.
    var place: SourcePlace { SourcePlace(line: line, column: offset - lineStart + 1) }

    /// The next token; nil at the end of the document, which may be empty.
    ///
    /// - Throws: `ModelingError` with the position, and what `refill` throws.
    package mutating func next() throws -> Token? {
        if offset == 0 { try skipByteOrderMark() }
        tokenStart = index
        while try open.isEmpty && MarkupText.isWhiteSpace(peek()) {
            advance()
            tokenStart = index
        }
        tokenPlace = place
        guard try !isAtEnd() else {
            guard let element = open.last else { return nil }
            let name = String(decoding: openNames.suffix(element.nameLength), as: UTF8.self)
            throw ModelingError(.malformed, "<\(name)> is not closed", at: element.place)
        }
        guard buffer[index] == UInt8(ascii: "<") else {
            try checkIsInside()
            guard !open.isEmpty else { throw malformed("there is text where an element should begin") }
            try scanText()
            return .text
        }
        return try scanMarkup()
    }

    private mutating func scanMarkup() throws -> Token {
        _ = try has(2)
        switch index + 1 < buffer.count ? buffer[index + 1] : 0 {
        case UInt8(ascii: "/") where !open.isEmpty:
            try scanEndTag()
            return .endTag
        case UInt8(ascii: "?"):
            try scanInstruction()
            return .other
        case UInt8(ascii: "!"):
            if let token = try scanDeclaration() { return token }
        default: break
        }
        return try scanStartTag() ? .emptyTag : .startTag
    }

    // MARK: What is not an element

    private mutating func scanDeclaration() throws -> Token? {
        if try starts(with: "<!--") {
            try skip(through: "-->", after: 4, of: "comment", limit: rules.comments)
            return .other
        }
        if try !open.isEmpty && starts(with: "<![CDATA[") {
            try skip(through: "]]>", after: 9, of: "section of character data", limit: rules.text)
            return .characterData
        }
        if try rules.allowsDocumentType && rootName == nil && starts(with: "<!DOCTYPE") {
            try scanDocumentType()
            return .other
        }
        for declaration in ["<!DOCTYPE", "<!ENTITY", "<!ELEMENT", "<!ATTLIST", "<!NOTATION"] as [StaticString]
        where try starts(with: declaration) {
            throw ModelingError(
                .forbiddenConstruct, "\(rules.subject) declares a document type or an entity", at: place)
        }
        return nil
    }

    /// Reads a document type without an internal subset; throws for one with declarations.
    private mutating func scanDocumentType() throws {
        var quote: UInt8?
        while try !isAtEnd() {
            let byte = buffer[index]
            try checkCharacter()
            advance()
            switch (byte, quote) {
            case (UInt8(ascii: ">"), nil): return
            case (UInt8(ascii: "["), nil):
                throw ModelingError(
                    .forbiddenConstruct, "\(rules.subject) declares a document type or an entity", at: tokenPlace)
            case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil): quote = byte
            case (let byte, let open?) where byte == open: quote = nil
            default: break
            }
            guard range.count <= rules.names else { throw tooLong("the document type") }
        }
        throw ModelingError(.malformed, "the document type has no end", at: tokenPlace)
    }

    /// Reads a processing instruction or the XML declaration; throws if that declares an encoding other than UTF-8.
    private mutating func scanInstruction() throws {
        let isDeclaration = try starts(with: "<?xml") && has(6) && !MarkupText.isNamePart(buffer[index + 5])
        let what = isDeclaration ? "declaration" : "processing instruction"
        try skip(through: "?>", after: 2, of: what, limit: rules.comments)
        guard isDeclaration, case let text = try string(range), let declared = text.range(of: "encoding") else {
            return
        }
        let rest = text[declared.upperBound...].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return }
        let name = rest.dropFirst().prefix { $0 != quote }.uppercased()
        guard ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name) else {
            throw ModelingError(
                .forbiddenConstruct, "\(rules.subject) is declared to be in \(name), not in UTF-8", at: tokenPlace)
        }
    }

    private mutating func skip(through end: StaticString, after start: Int, of what: String, limit: Int) throws {
        skip(start)
        while try !starts(with: end) {
            guard try !isAtEnd() else { throw ModelingError(.malformed, "the \(what) has no end", at: tokenPlace) }
            try checkCharacter()
            advance()
            guard range.count - start <= limit else { throw tooLong("a \(what)") }
        }
        skip(end.utf8CodeUnitCount)
    }

    // MARK: Texts

    private mutating func scanText() throws {
        while true {
            skipPlain(until: UInt8(ascii: "<"))
            // Near the end of a piece, a reference or a character may be incomplete.
            if !isExhausted, index - tokenStart >= Self.longText,
                buffer.count - index < MarkupText.greatestReference
            {
                return leaveIncompleteCharacter()
            }
            if index == buffer.count {
                guard try fill() else { return }
            } else if buffer[index] == UInt8(ascii: "<") {
                return
            } else {
                try scanCharacter()
            }
        }
    }

    /// Moves back before an incomplete character, which becomes part of the next token.
    private mutating func leaveIncompleteCharacter() {
        for length in 1...3 where buffer[index - length] < 0x80 || buffer[index - length] >= 0xC0 {
            if buffer[index - length] >= 0xC0 { index -= length }
            return
        }
    }

    /// Skips one byte of text, or one reference; throws for an unknown reference.
    mutating func scanCharacter() throws {
        try checkCharacter()
        guard buffer[index] == UInt8(ascii: "&") else { return advance() }
        _ = try has(MarkupText.greatestReference)
        let rest = buffer[(index + 1)..<min(buffer.count, index + MarkupText.greatestReference)]
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
            throw malformed("there is an '&' that begins no reference")
        }
        guard MarkupText.character(ofReference: rest[..<end]) != nil else {
            throw ModelingError(
                rules.unknownReference, "there is a reference to an entity that is not predefined", at: place)
        }
        index = end + 1
    }

    // MARK: Bytes

    /// Whether the document has at least `count` more bytes; reads them into the buffer.
    mutating func has(_ count: Int) throws -> Bool {
        while buffer.count - index < count { guard try fill() else { return false } }
        return true
    }

    mutating func isAtEnd() throws -> Bool { try index == buffer.count && !fill() }

    /// The next byte, or at the end zero, which a document cannot contain.
    mutating func peek() throws -> UInt8 { try isAtEnd() ? 0 : buffer[index] }

    private mutating func fill() throws -> Bool {
        guard !isExhausted else { return false }
        let piece = try refill()
        isExhausted = piece.isEmpty
        guard !isExhausted else { return false }
        passed += tokenStart
        index -= tokenStart
        buffer = tokenStart == buffer.count ? [] : tokenStart == 0 ? buffer : Array(buffer[tokenStart...])
        tokenStart = 0
        buffer += piece
        return true
    }

    mutating func starts(with prefix: StaticString) throws -> Bool {
        guard try has(prefix.utf8CodeUnitCount), prefix.utf8Start.pointee == buffer[index] else { return false }
        return prefix.withUTF8Buffer { bytes in
            for offset in 0..<bytes.count where buffer[index + offset] != bytes[offset] { return false }
            return true
        }
    }

    private mutating func skipByteOrderMark() throws {
        guard try starts(with: "\u{FEFF}") else { return }
        skip(3)
        lineStart = 3
    }

    private mutating func advance() {
        index += 1
        guard buffer[index - 1] == UInt8(ascii: "\n") else { return }
        line += 1
        lineStart = offset
    }

    /// Skips bytes that do not contain a line break.
    mutating func skip(_ count: Int) { index += count }

    mutating func skipWhiteSpace() throws {
        while try MarkupText.isWhiteSpace(peek()) { advance() }
    }

    /// Skips bytes up to the given one, or to one that begins markup or a reference, breaks a line or must be checked.
    mutating func skipPlain(until end: UInt8) {
        var place = index
        while place < buffer.count {
            let byte = buffer[place]
            guard byte >= 0x20, byte < 0xEF, byte != UInt8(ascii: "&"), byte != UInt8(ascii: "<"), byte != end else {
                break
            }
            place += 1
        }
        index = place
    }

    /// Throws for a character that XML does not allow.
    mutating func checkCharacter() throws {
        let byte = buffer[index]
        if byte >= 0x20, byte < 0xEF { return }
        guard byte >= 0x20 || MarkupText.isWhiteSpace(byte) else { throw malformed("there is a control character") }
        if byte == 0xEF, try has(3), buffer[index + 1] == 0xBF, buffer[index + 2] >= 0xBE {
            throw malformed("there is a character that XML does not allow")
        }
    }

    /// The bytes at offsets of the current token.
    package func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> {
        buffer[range.lowerBound - passed..<range.upperBound - passed]
    }

    /// The text at offsets of the current token, without resolving references.
    ///
    /// - Throws: `ModelingError` if it is not UTF-8.
    package func string(_ range: Range<Int>) throws -> String {
        let bytes = bytes(range)
        // Only text that is not ASCII is validated, since that takes far longer.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed("it is not UTF-8") }
        return text
    }

    /// The text at offsets of the current token, with references resolved.
    ///
    /// - Throws: `ModelingError` if it is not UTF-8.
    package func resolved(_ range: Range<Int>) throws -> String {
        let bytes = bytes(range)
        guard bytes.contains(UInt8(ascii: "&")) else { return try string(range) }
        guard let text = String(validating: MarkupText.resolved(bytes), as: UTF8.self) else {
            throw malformed("it is not UTF-8")
        }
        return text
    }

    // MARK: Refusals

    /// The error for malformed XML at the current position.
    package func malformed(_ cause: String) -> ModelingError { ModelingError(.malformed, cause, at: place) }

    func tooLong(_ what: String) -> ModelingError {
        ModelingError(.limitExceeded, "\(what) is longer than is read here", at: tokenPlace)
    }
}
