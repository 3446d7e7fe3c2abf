import CoreDataModelCompiler

/// Reads Swift code token by token, skipping comments and string literals, without parsing it.
///
/// 1. Every token begins where the compiler's lexer begins one; otherwise the cursor throws `Doubt`. So a brace in a
///    comment, string literal or regular expression never counts as one of the code.
/// 2. Whether a `/` divides or begins a regular expression depends on the code around it. The cursor ignores the
///    question if both readings have the same braces and quotes; otherwise it throws `Doubt`.
/// 3. The recursion is bounded: brackets nest no deeper than `depthLimit`.
struct CodeCursor {
    /// Code that can be read in two ways, or not at all.
    struct Doubt: Error {}

    /// The maximum nesting of brackets; the parser has a limit too.
    static let depthLimit = 48

    let bytes: UnsafePointer<UInt8>
    let count: Int
    let classes: UnsafePointer<UInt8>
    /// The offset at which the search for the next token begins.
    var index = 0
    /// Whether the cursor has read the word `forKey`; callers reset this.
    var hasPassedKey = false
    /// The nesting depth of the brackets being skipped.
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

    /// Returns the next token; at the end of the text, `.closing(.file)`.
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

    /// Skips code up to and including the token that closes the open bracket or condition.
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

    /// Skips the rest of a token after its first byte: a quote, number sign, slash or backtick.
    private mutating func special(_ byte: UInt8, _ start: Int) throws(Doubt) -> CodeToken.Kind {
        switch byte {
        case CodeByte.quote: try skipText(hashes: 0)
        case CodeByte.hash: return try directive(start)
        case CodeByte.slash: try checkSlash()
        case CodeByte.backtick: try skipName()
        // A single quote, or a zero byte.
        default: throw Doubt()
        }
        return .mark
    }
}
