import CoreDataModelCompiler

/// Reads Swift code token by token, past comments and texts, without understanding it.
///
/// 1. A token is where the compiler's own lexer has one, or there is a doubt. So no brace of a comment, a text or a regular
///    expression is ever taken for one of the code.
/// 2. Whether a `/` divides or begins a regular expression depends on what is around it. Where both have the same braces
///    and quotes it is not asked; elsewhere it is a doubt.
/// 3. Memory is bounded by the text: brackets nest no deeper than `depthLimit`.
struct CodeCursor {
    /// Something that may be read in two ways, or cannot be read at all.
    struct Doubt: Error {}

    /// How deep brackets may be in each other; the parser has a limit as well.
    static let depthLimit = 48

    let bytes: UnsafePointer<UInt8>
    let count: Int
    let classes: UnsafePointer<UInt8>
    /// Where the next token is looked for.
    var index = 0
    /// Whether the word `forKey` was passed.
    var hasPassedKey = false
    /// How many brackets are being skipped, the one in the other.
    private var depth = 0

    /// `classes` is `ByteClass.table`.
    init(_ text: UnsafeBufferPointer<UInt8>, classes: UnsafePointer<UInt8>) throws(Doubt) {
        guard let bytes = text.baseAddress else { throw Doubt() }
        (self.bytes, count, self.classes) = (bytes, text.count, classes)
        // A byte order mark.
        if count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { index = 3 }
    }

    func byte(_ place: Int) -> UInt8 { place >= 0 && place < count ? bytes[place] : 0 }

    func text(of token: CodeToken) -> String {
        String(decoding: UnsafeBufferPointer(start: bytes + token.start, count: token.end - token.start), as: UTF8.self)
    }

    // MARK: Tokens

    /// The next token; at the end of the text that which closes the file.
    mutating func next() throws(Doubt) -> CodeToken {
        var beginsLine = false
        while index < count {
            let start = index
            let byte = bytes[start]
            index += 1
            var kind = CodeToken.Kind.mark
            switch classes[Int(byte)] {
            case ByteClass.space: continue
            case ByteClass.newline:
                beginsLine = true
                continue
            case ByteClass.word:
                while index < count, classes[Int(bytes[index])] == ByteClass.word { index += 1 }
                if index - start == 6, isKey(start) { hasPassedKey = true }
                kind = .word
            case ByteClass.bracket: kind = Self.bracket(byte)
            case ByteClass.other: break
            default:
                if byte == CodeByte.slash, try skipComment() { continue }
                kind = try special(byte, start)
            }
            return CodeToken(kind: kind, start: start, end: index, beginsLine: beginsLine)
        }
        return CodeToken(kind: .closing(.file), start: count, end: count, beginsLine: beginsLine)
    }

    /// Passes everything up to and with what closes a stretch of code that is open.
    mutating func skip(to closing: CodeToken.Closing) throws(Doubt) {
        guard depth < Self.depthLimit else { throw Doubt() }
        depth += 1
        defer { depth -= 1 }
        while true {
            switch try next().kind {
            case .word, .mark: continue
            case .opening(let inner): try skip(to: inner)
            case .alternative: guard closing == .condition else { throw Doubt() }
            case .closing(let found):
                guard found == closing else { throw Doubt() }
                return
            }
        }
    }

    private static func bracket(_ byte: UInt8) -> CodeToken.Kind {
        switch byte {
        case CodeByte.brace: .opening(.brace)
        case CodeByte.braceEnd: .closing(.brace)
        case CodeByte.parenthesis: .opening(.parenthesis)
        case CodeByte.parenthesisEnd: .closing(.parenthesis)
        case CodeByte.bracket: .opening(.bracket)
        default: .closing(.bracket)
        }
    }

    /// Whether the six bytes at a place are `forKey`.
    private func isKey(_ start: Int) -> Bool {
        bytes[start + 3] == 0x4B && bytes[start] == 0x66 && bytes[start + 1] == 0x6F && bytes[start + 2] == 0x72
            && bytes[start + 4] == 0x65 && bytes[start + 5] == 0x79
    }

    /// What begins with a quote, a number sign, a slash or a backtick, which has been passed.
    private mutating func special(_ byte: UInt8, _ start: Int) throws(Doubt) -> CodeToken.Kind {
        switch byte {
        case CodeByte.quote: try skipText(hashes: 0)
        case CodeByte.hash: return try directive(start)
        case CodeByte.slash: try checkSlash()
        case CodeByte.backtick: try skipName()
        // A text between single quotes, or a byte that no source has.
        default: throw Doubt()
        }
        return .mark
    }
}
