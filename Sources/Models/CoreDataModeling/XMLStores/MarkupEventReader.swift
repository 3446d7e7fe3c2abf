import CoreDataFoundation

/// Reads XML piece by piece in constant memory, whatever the size of the document.
///
/// What a store needs of XML: elements, attributes, texts, `CDATA`, comments, the five predefined entities and numbered
/// characters, in UTF-8. A document type may be named and is never fetched; one that declares anything is refused, so
/// that entities need not be expanded. Depth, names and texts are bounded.
///
/// Invariant: events come in the order of the document, each start is followed by its end, and after an error nothing comes.
package final class MarkupEventReader {
    package enum Event: Equatable {
        case start(String, [String: String])
        /// All text between two tags.
        case text(String)
        case end(String)
    }

    package struct Limits: Sendable {
        /// How deeply elements may nest.
        package var depth = 64
        /// The bytes of one text.
        package var text = 1 << 30
        /// How many elements the document may have.
        package var elements = Int.max
        /// The bytes of one name, and the number of attributes of one element.
        package var names = 1024

        package init() {}
    }

    private let refill: () throws -> [UInt8]
    let limits: Limits
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    package private(set) var line = 1
    /// The bytes of the pieces before the present one.
    private var passed = 0
    private var open: [String] = []
    private var hasRoot = false
    private var elementCount = 0
    /// The end of an element that was written as `<a/>`.
    private var pendingEnd: String?

    /// - Parameter refill: gives the next bytes; none at the end.
    package init(limits: Limits = Limits(), _ refill: @escaping () throws -> [UInt8]) {
        self.limits = limits
        self.refill = refill
    }

    package convenience init(_ data: Data, limits: Limits = Limits()) {
        var rest: [UInt8]? = [UInt8](data)
        self.init(limits: limits) {
            defer { rest = nil }
            return rest ?? []
        }
    }

    /// How many bytes have been read: behind a start or an end, the place after its tag.
    package var offset: Int { passed + position }

    /// The next event; nil at the end of the document.
    ///
    /// - Throws: `ModelingError` with the line, and what reading the bytes throws.
    package func next() throws -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            return .end(name)
        }
        if open.isEmpty, !hasRoot { try skipByteOrderMark() }
        if !open.isEmpty, let text = try text() { return .text(text) }
        return try markup()
    }

    func malformed(_ cause: String) -> ModelingError { ModelingError(.malformed, cause, line: line) }

    private func tooLong(_ what: String) -> ModelingError {
        ModelingError(.limitExceeded, "\(what) is longer than is read here", line: line)
    }

    // MARK: Bytes

    private func peek() throws -> UInt8? {
        while position == buffer.count {
            guard !isAtEnd else { return nil }
            passed += buffer.count
            position = 0
            buffer = try refill()
            isAtEnd = buffer.isEmpty
        }
        return buffer[position]
    }

    private func take() throws -> UInt8 {
        guard let byte = try peek() else { throw malformed("the document ends in the middle") }
        position += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
        return byte
    }

    private func skipByteOrderMark() throws {
        guard line == 1, try peek() == 0xEF else { return }
        for byte in [0xEF, 0xBB, 0xBF] as [UInt8] where try take() != byte { throw malformed("it is not UTF-8") }
    }

    private func require(_ text: StaticString) throws {
        for byte in text.description.utf8 where try take() != byte { throw malformed("'\(text)' was expected") }
    }

    private func skipBlanks() throws {
        while let byte = try peek(), [0x20, 0x9, 0xA, 0xD].contains(byte) { _ = try take() }
    }

    private func string(_ bytes: [UInt8]) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed("it is not UTF-8") }
        return text
    }

    // MARK: Texts

    /// The text before the next tag; nil if it is empty.
    private func text() throws -> String? {
        var bytes: [UInt8] = []
        while let byte = try peek(), byte != UInt8(ascii: "<") {
            if !appendRun(to: &bytes) { try append(to: &bytes) }
            guard bytes.count <= limits.text else { throw tooLong("a text") }
        }
        return bytes.isEmpty ? nil : try string(bytes)
    }

    /// The bytes before the next that is a mark or a control character, as far as they have been read and a text may
    /// have them; false if there are none.
    private func appendRun(to bytes: inout [UInt8]) -> Bool {
        let most = min(buffer.count, position + limits.text + 1 - bytes.count)
        var end = position
        buffer.withUnsafeBufferPointer { buffer in
            guard let buffer = buffer.baseAddress else { return }
            while end < most, buffer[end] >= 0x20, buffer[end] != UInt8(ascii: "<"), buffer[end] != UInt8(ascii: "&") {
                end += 1
            }
        }
        guard end > position else { return false }
        bytes.append(contentsOf: buffer[position..<end])
        position = end
        return true
    }

    /// One character, a reference resolved.
    private func append(to bytes: inout [UInt8]) throws {
        let byte = try take()
        guard byte == UInt8(ascii: "&") else {
            guard byte >= 0x20 || byte == 0x9 || byte == 0xA || byte == 0xD else {
                throw malformed("there is a control character in it")
            }
            return bytes.append(byte)
        }
        var name: [UInt8] = []
        while case let part = try take(), part != UInt8(ascii: ";") {
            name.append(part)
            guard name.count <= 16 else { throw malformed("a reference has no end") }
        }
        guard let scalar = MarkupText.character(ofReference: Substring(try string(name)).utf8) else {
            throw ModelingError(.forbiddenConstruct, "a reference to an entity that is not predefined", line: line)
        }
        bytes.append(contentsOf: String(scalar).utf8)
    }

    // MARK: Markup

    private func markup() throws -> Event? {
        while true {
            if open.isEmpty { try skipBlanks() }
            guard try peek() != nil else {
                guard open.isEmpty, hasRoot else { throw malformed("the document ends in the middle") }
                return nil
            }
            try require("<")
            switch try peek() {
            case UInt8(ascii: "?"): try skip(through: "?>", checksEncoding: true)
            case UInt8(ascii: "!"): if let event = try declaration() { return event }
            case UInt8(ascii: "/"): return try end()
            default: return try start()
            }
            if !open.isEmpty, let text = try text() { return .text(text) }
        }
    }

    private func end() throws -> Event {
        try require("/")
        let name = try self.name()
        try skipBlanks()
        try require(">")
        guard open.popLast() == name else { throw malformed("</\(name)> closes nothing") }
        return .end(name)
    }

    private func start() throws -> Event {
        guard !open.isEmpty || !hasRoot else { throw malformed("there is something behind the end") }
        guard open.count < limits.depth else {
            throw ModelingError(.limitExceeded, "elements nest deeper than \(limits.depth)", line: line)
        }
        elementCount += 1
        guard elementCount <= limits.elements else {
            throw ModelingError(.limitExceeded, "there are more than \(limits.elements) elements", line: line)
        }
        let name = try self.name()
        var attributes: [String: String] = [:]
        hasRoot = true
        while true {
            try skipBlanks()
            switch try peek() {
            case UInt8(ascii: "/"):
                try require("/>")
                pendingEnd = name
                return .start(name, attributes)
            case UInt8(ascii: ">"):
                try require(">")
                open.append(name)
                return .start(name, attributes)
            default:
                let key = try self.name()
                guard attributes.updateValue(try attribute(), forKey: key) == nil else {
                    throw malformed("<\(name)> has '\(key)' twice")
                }
                guard attributes.count <= limits.names else { throw tooLong("a list of attributes") }
            }
        }
    }

    private func name() throws -> String {
        guard let first = try peek(), MarkupText.isNameStart(first) else { throw malformed("a name was expected") }
        var bytes: [UInt8] = []
        while let byte = try peek(), MarkupText.isNamePart(byte) {
            bytes.append(try take())
            guard bytes.count <= limits.names else { throw tooLong("a name") }
        }
        return try string(bytes)
    }

    private func attribute() throws -> String {
        try skipBlanks()
        try require("=")
        try skipBlanks()
        let quote = try take()
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw malformed("a quote was expected") }
        var bytes: [UInt8] = []
        while try peek() != quote {
            guard try peek() != UInt8(ascii: "<") else { throw malformed("a value of an attribute has no end") }
            try append(to: &bytes)
            guard bytes.count <= limits.text else { throw tooLong("a value of an attribute") }
        }
        _ = try take()
        return try string(bytes)
    }

    // MARK: What is not an element

    /// A comment, a document type or `CDATA`, which is a text.
    private func declaration() throws -> Event? {
        try require("!")
        switch try peek() {
        case UInt8(ascii: "-"):
            try require("--")
            try skip(through: "-->")
            return nil
        case UInt8(ascii: "D") where open.isEmpty && !hasRoot:
            try documentType()
            return nil
        case UInt8(ascii: "[") where !open.isEmpty:
            try require("[CDATA[")
            let bytes = try bytes(through: "]]>", limit: limits.text)
            return bytes.isEmpty ? nil : .text(try string(bytes))
        default: throw ModelingError(.forbiddenConstruct, "the document declares something", line: line)
        }
    }

    /// The name of a document type and where it could be fetched; what it declares in the document itself is refused.
    private func documentType() throws {
        try require("DOCTYPE")
        var quote: UInt8?
        for _ in 0..<limits.names {
            let byte = try take()
            switch (byte, quote) {
            case (UInt8(ascii: ">"), nil): return
            case (UInt8(ascii: "["), nil):
                throw ModelingError(.forbiddenConstruct, "the document type declares something", line: line)
            case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil): quote = byte
            case (let byte, let open?) where byte == open: quote = nil
            default: break
            }
        }
        throw tooLong("the document type")
    }

    private func skip(through mark: StaticString, checksEncoding: Bool = false) throws {
        let text = try string(bytes(through: mark, limit: 1 << 20))
        guard checksEncoding, text.hasPrefix("?xml"), let place = text.range(of: "encoding") else { return }
        let value = text[place.upperBound...].drop { $0 == "=" || $0.isWhitespace }.dropFirst().uppercased()
        guard value.hasPrefix("UTF-8") || value.hasPrefix("UTF8") || value.hasPrefix("US-ASCII") else {
            throw ModelingError(.forbiddenConstruct, "it is not in UTF-8", line: line)
        }
    }

    private func bytes(through mark: StaticString, limit: Int) throws -> [UInt8] {
        let mark = Array(mark.description.utf8)
        var bytes: [UInt8] = []
        while !bytes.suffix(mark.count).elementsEqual(mark) {
            bytes.append(try take())
            guard bytes.count <= limit else { throw tooLong("a comment or a text") }
        }
        return bytes.dropLast(mark.count)
    }
}
