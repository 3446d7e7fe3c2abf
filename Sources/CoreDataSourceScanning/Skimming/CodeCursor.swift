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

    private let bytes: UnsafePointer<UInt8>
    private let count: Int
    private let classes: UnsafePointer<UInt8>
    /// Where the next token is looked for.
    private(set) var index = 0
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
                if byte == Byte.slash, try skipComment() { continue }
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
        case Byte.brace: .opening(.brace)
        case Byte.braceEnd: .closing(.brace)
        case Byte.parenthesis: .opening(.parenthesis)
        case Byte.parenthesisEnd: .closing(.parenthesis)
        case Byte.bracket: .opening(.bracket)
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
        case Byte.quote: try skipText(hashes: 0)
        case Byte.hash: return try directive(start)
        case Byte.slash: try checkSlash()
        case Byte.backtick: try skipName()
        // A text between single quotes, or a byte that no source has.
        default: throw Doubt()
        }
        return .mark
    }

    // MARK: Directives, names, comments

    private mutating func directive(_ start: Int) throws(Doubt) -> CodeToken.Kind {
        // `<#…#>` is a gap that an editor shows.
        guard byte(start - 1) != 0x3C else { throw Doubt() }
        var hashes = 1
        while byte(index) == Byte.hash {
            (hashes, index) = (hashes + 1, index + 1)
        }
        if byte(index) == Byte.quote {
            index += 1
            try skipText(hashes: hashes)
            return .mark
        }
        guard hashes == 1, index < count, classes[Int(bytes[index])] == ByteClass.word else { throw Doubt() }
        let name = index
        var end = index
        while end < count, classes[Int(bytes[end])] == ByteClass.word { end += 1 }
        let word = text(of: CodeToken(kind: .word, start: name, end: end, beginsLine: false))
        guard let kind = Self.directives[word] else { return .mark }
        index = end
        return kind
    }

    private static let directives: [String: CodeToken.Kind] = [
        "if": .opening(.condition), "elseif": .alternative, "else": .alternative, "endif": .closing(.condition),
    ]

    private mutating func skipName() throws(Doubt) {
        while index < count, bytes[index] != Byte.backtick {
            guard classes[Int(bytes[index])] == ByteClass.word || bytes[index] == 0x20 else { throw Doubt() }
            index += 1
        }
        guard index < count else { throw Doubt() }
        index += 1
    }

    /// Passes a comment whose first slash was passed; tells whether there is one.
    private mutating func skipComment() throws(Doubt) -> Bool {
        switch byte(index) {
        case Byte.slash:
            while index < count, classes[Int(bytes[index])] != ByteClass.newline { index += 1 }
        case Byte.star:
            index += 1
            var depth = 1
            while depth > 0 {
                guard index < count else { throw Doubt() }
                let (one, two) = (bytes[index], byte(index + 1))
                index += 1
                if one == Byte.star, two == Byte.slash {
                    (depth, index) = (depth - 1, index + 1)
                } else if one == Byte.slash, two == Byte.star {
                    (depth, index) = (depth + 1, index + 1)
                }
            }
        default: return false
        }
        return true
    }

    /// Sees that a slash, which was passed, may begin a regular expression only where that makes no difference.
    private func checkSlash() throws(Doubt) {
        // No regular expression begins with a space, nor ends with one or before a comment.
        var place = index
        guard place < count, classes[Int(bytes[place])] != ByteClass.space else { return }
        var isPlain = true
        while place < count {
            switch bytes[place] {
            case 0x0A, 0x0D: return
            case Byte.slash:
                let (before, behind) = (byte(place - 1), byte(place + 1))
                let isEnd = before != 0x20 && before != 0x09 && behind != Byte.slash && behind != Byte.star
                guard isPlain || !isEnd else { throw Doubt() }
                return
            case Byte.quote, Byte.hash, Byte.backslash, Byte.backtick, Byte.brace, Byte.braceEnd, 0x27: isPlain = false
            default: break
            }
            place += 1
        }
    }

    // MARK: Texts

    /// Passes a text of which one quote was passed, with the code in it.
    private mutating func skipText(hashes: Int) throws(Doubt) {
        let isLong = byte(index) == Byte.quote && byte(index + 1) == Byte.quote
        if isLong {
            index += 2
            // A text of several lines has nothing in the first; `#"""#` is a text of one quote.
            var place = index
            while place < count, classes[Int(bytes[place])] == ByteClass.space { place += 1 }
            guard place < count, classes[Int(bytes[place])] == ByteClass.newline else { throw Doubt() }
        }
        while index < count {
            let byte = bytes[index]
            index += 1
            if byte == Byte.quote {
                if try endsText(isLong: isLong, hashes) { return }
            } else if byte == Byte.backslash {
                if areHashes(at: index, hashes) { try skipEscape(isLong: isLong, hashes) }
            } else if !isLong, classes[Int(byte)] == ByteClass.newline {
                throw Doubt()
            }
        }
        throw Doubt()
    }

    /// Passes the rest of what ends a text; tells whether the quote that was passed ends it.
    private mutating func endsText(isLong: Bool, _ hashes: Int) throws(Doubt) -> Bool {
        let quotes = isLong ? 2 : 0
        if isLong { guard byte(index) == Byte.quote, byte(index + 1) == Byte.quote else { return false } }
        guard areHashes(at: index + quotes, hashes) else { return false }
        index += quotes + hashes
        return true
    }

    /// Passes what a backslash, which was passed, makes of the next byte: code, or nothing of importance.
    private mutating func skipEscape(isLong: Bool, _ hashes: Int) throws(Doubt) {
        index += hashes
        let start = index
        guard byte(index) == Byte.parenthesis else {
            if index < count, classes[Int(bytes[index])] != ByteClass.newline { index += 1 }
            return
        }
        index += 1
        try skip(to: .parenthesis)
        guard !isLong else { return }
        for place in start..<index where classes[Int(bytes[place])] == ByteClass.newline { throw Doubt() }
    }

    private func areHashes(at place: Int, _ hashes: Int) -> Bool {
        var place = place
        let end = place + hashes
        while place < end {
            guard byte(place) == Byte.hash else { return false }
            place += 1
        }
        return true
    }
}

/// The bytes that code is cut at.
private enum Byte {
    static let quote: UInt8 = 0x22
    static let hash: UInt8 = 0x23
    static let parenthesis: UInt8 = 0x28
    static let parenthesisEnd: UInt8 = 0x29
    static let star: UInt8 = 0x2A
    static let slash: UInt8 = 0x2F
    static let bracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let backtick: UInt8 = 0x60
    static let brace: UInt8 = 0x7B
    static let braceEnd: UInt8 = 0x7D
}
