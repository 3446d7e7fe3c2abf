extension CodeCursor {
    /// Scans what follows a number sign that was already passed.
    ///
    /// Passes a raw string literal or a conditional compilation directive; leaves a macro's name for the next token.
    mutating func directive(_ start: Int) throws(Doubt) -> CodeToken.Kind {
        // `<#…#>` is an editor placeholder.
        guard byte(start - 1) != 0x3C else { throw Doubt() }
        var hashes = 1
        while byte(index) == CodeByte.hash {
            (hashes, index) = (hashes + 1, index + 1)
        }
        if byte(index) == CodeByte.quote {
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

    /// Skips a name in backticks after its first backtick.
    mutating func skipName() throws(Doubt) {
        while index < count, bytes[index] != CodeByte.backtick {
            guard classes[Int(bytes[index])] == ByteClass.word || bytes[index] == 0x20 else { throw Doubt() }
            index += 1
        }
        guard index < count else { throw Doubt() }
        index += 1
    }

    /// Skips a comment after its first slash; returns false if the slash does not begin a comment.
    mutating func skipComment() throws(Doubt) -> Bool {
        switch byte(index) {
        case CodeByte.slash:
            while index < count, classes[Int(bytes[index])] != ByteClass.newline { index += 1 }
        case CodeByte.star:
            index += 1
            var depth = 1
            while depth > 0 {
                guard index < count else { throw Doubt() }
                let (one, two) = (bytes[index], byte(index + 1))
                index += 1
                if one == CodeByte.star, two == CodeByte.slash {
                    (depth, index) = (depth - 1, index + 1)
                } else if one == CodeByte.slash, two == CodeByte.star {
                    (depth, index) = (depth + 1, index + 1)
                }
            }
        default: return false
        }
        return true
    }

    /// Throws if the slash before `index` may begin a regular expression whose contents would change how the rest is
    /// read.
    func checkSlash() throws(Doubt) {
        // A regular expression neither begins nor ends with a space, and no comment follows its last slash directly.
        var place = index
        guard place < count, classes[Int(bytes[place])] != ByteClass.space else { return }
        var isPlain = true
        while place < count {
            switch bytes[place] {
            case 0x0A, 0x0D: return
            case CodeByte.slash:
                let (before, behind) = (byte(place - 1), byte(place + 1))
                let isEnd = before != 0x20 && before != 0x09 && behind != CodeByte.slash && behind != CodeByte.star
                guard isPlain || !isEnd else { throw Doubt() }
                return
            case CodeByte.quote, CodeByte.hash, CodeByte.backslash, CodeByte.backtick, CodeByte.brace,
                CodeByte.braceEnd, 0x27:
                isPlain = false
            default: break
            }
            place += 1
        }
    }
}
