/// Splits XML into tokens, piece by piece, in the memory of the largest one.
///
/// A small part of XML is enough for models, stores and property lists: elements, attributes, texts, character data,
/// comments, the five predefined entities and numbered characters, in UTF-8. Document types that declare anything and
/// other entities are refused, whether or not they would be used; so is what exceeds the rules' limits.
///
/// Offsets count the bytes of the document, from 0. Those of a token hold until the next one is asked for.
///
/// Invariant: tokens come in the order of the document, each start tag is followed by its end tag, and the document is
/// well-formed up to the last token that came. Whether names and texts are UTF-8 is checked where strings are made of them.
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

    /// The places of an attribute: white space, the name, `=` with the white space around it, and the value in quotes.
    package struct Attribute: Hashable, Sendable {
        let start: Int
        package let name: Range<Int>
        /// The text between the quotes, with its references.
        package let value: Range<Int>

        var space: Range<Int> { start..<name.lowerBound }
        var equals: Range<Int> { name.upperBound..<value.lowerBound - 1 }
        var quote: Range<Int> { value.lowerBound - 1..<value.lowerBound }
    }

    /// A tag that has no end yet; its name is in `openNames`.
    struct OpenElement {
        let nameLength: Int
        let place: SourcePlace
    }

    /// A text of a document in pieces is given out before its end when it is longer.
    private static let longText = 1 << 16

    let rules: MarkupRules
    private let refill: () throws -> [UInt8]
    /// The bytes at hand: those of the present token and behind it.
    var buffer: [UInt8]
    /// The offset of the first byte in the buffer.
    private var passed = 0
    /// The next byte in the buffer.
    var index = 0
    /// The first byte of the present token in the buffer.
    private var tokenStart = 0
    private var isExhausted: Bool
    private(set) var line = 1
    private var lineStart = 0
    var open: [OpenElement] = []
    var openNames: [UInt8] = []
    var rootName: String?
    var elementCount = 0

    /// Where the present token begins.
    package private(set) var tokenPlace = SourcePlace(line: 1, column: 1)
    /// The attributes of a start tag.
    package var attributes: [Attribute] = []
    /// The name in a tag.
    package var name = 0..<0
    /// The white space before the end of a tag.
    var closingSpace = 0..<0

    /// - Parameter bytes: the entire document.
    package init(_ bytes: [UInt8], rules: MarkupRules) {
        (buffer, isExhausted, self.rules) = (bytes, true, rules)
        refill = { [] }
    }

    /// - Parameter refill: gives the next bytes; none at the end.
    package init(rules: MarkupRules, refill: @escaping () throws -> [UInt8]) {
        (buffer, isExhausted, self.rules) = ([], false, rules)
        self.refill = refill
    }

    /// The bytes of the present token.
    package var range: Range<Int> { passed + tokenStart..<offset }

    /// The number of bytes before the next token.
    package var offset: Int { passed + index }

    /// Where the next token begins.
    var place: SourcePlace { SourcePlace(line: line, column: offset - lineStart + 1) }

    /// The next token; nil at the end of the document, which may be empty.
    ///
    /// - Throws: `ModelingError` with the place, and what reading the bytes throws.
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

    /// The name of a document type and where it could be fetched; what it declares in the document itself is refused.
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

    /// Another encoding than UTF-8 would give the bytes another meaning than the one that they are read with.
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
            // So near to the end of a piece there may be a reference or a character that is not complete.
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

    /// Leaves the bytes of a character that is not complete to the next token.
    private mutating func leaveIncompleteCharacter() {
        for length in 1...3 where buffer[index - length] < 0x80 || buffer[index - length] >= 0xC0 {
            if buffer[index - length] >= 0xC0 { index -= length }
            return
        }
    }

    /// Skips one byte of text or one reference, which must be known.
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

    /// Whether there are so many bytes more.
    mutating func has(_ count: Int) throws -> Bool {
        while buffer.count - index < count { guard try fill() else { return false } }
        return true
    }

    mutating func isAtEnd() throws -> Bool { try index == buffer.count && !fill() }

    /// The next byte; zero, which no document contains, at the end.
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

    /// Skips what is allowed, begins no markup and no reference, breaks no line and is not the given byte.
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

    /// Refuses the characters that are valid UTF-8 and no XML.
    mutating func checkCharacter() throws {
        let byte = buffer[index]
        if byte >= 0x20, byte < 0xEF { return }
        guard byte >= 0x20 || MarkupText.isWhiteSpace(byte) else { throw malformed("there is a control character") }
        if byte == 0xEF, try has(3), buffer[index + 1] == 0xBF, buffer[index + 2] >= 0xBE {
            throw malformed("there is a character that XML does not allow")
        }
    }

    /// The bytes at offsets of the present token.
    package func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> {
        buffer[range.lowerBound - passed..<range.upperBound - passed]
    }

    /// The text at offsets of the present token, as it is written.
    ///
    /// - Throws: `ModelingError` if it is not UTF-8.
    package func string(_ range: Range<Int>) throws -> String {
        let bytes = bytes(range)
        // What is not ASCII is validated, which takes far longer.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed("it is not UTF-8") }
        return text
    }

    /// The text at offsets of the present token, references replaced by what they stand for.
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

    /// The error for what cannot be read at the place that has been reached.
    package func malformed(_ cause: String) -> ModelingError { ModelingError(.malformed, cause, at: place) }

    func tooLong(_ what: String) -> ModelingError {
        ModelingError(.limitExceeded, "\(what) is longer than is read here", at: tokenPlace)
    }
}
