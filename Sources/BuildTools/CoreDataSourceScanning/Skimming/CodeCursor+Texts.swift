extension CodeCursor {
    /// Skips a string literal after its first quote, including interpolated code.
    mutating func skipText(hashes: Int) throws(Doubt) {
        let isLong = byte(index) == CodeByte.quote && byte(index + 1) == CodeByte.quote
        if isLong {
            index += 2
            // A multiline literal has no text on its first line; `#"""#` is a literal of one quote.
            var place = index
            while place < count, classes[Int(bytes[place])] == ByteClass.space { place += 1 }
            guard place < count, classes[Int(bytes[place])] == ByteClass.newline else { throw Doubt() }
        }
        while index < count {
            let byte = bytes[index]
            index += 1
            if byte == CodeByte.quote {
                if try endsText(isLong: isLong, hashes) { return }
            } else if byte == CodeByte.backslash {
                if areHashes(at: index, hashes) { try skipEscape(isLong: isLong, hashes) }
            } else if !isLong, classes[Int(byte)] == ByteClass.newline {
                throw Doubt()
            }
        }
        throw Doubt()
    }

    /// Returns whether the quote before `index` ends a string literal, and if so skips the rest of the delimiter.
    private mutating func endsText(isLong: Bool, _ hashes: Int) throws(Doubt) -> Bool {
        let quotes = isLong ? 2 : 0
        if isLong { guard byte(index) == CodeByte.quote, byte(index + 1) == CodeByte.quote else { return false } }
        guard areHashes(at: index + quotes, hashes) else { return false }
        index += quotes + hashes
        return true
    }

    /// Skips an escape sequence after its backslash: interpolated code, or a single character.
    private mutating func skipEscape(isLong: Bool, _ hashes: Int) throws(Doubt) {
        index += hashes
        let start = index
        guard byte(index) == CodeByte.parenthesis else {
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
            guard byte(place) == CodeByte.hash else { return false }
            place += 1
        }
        return true
    }
}
