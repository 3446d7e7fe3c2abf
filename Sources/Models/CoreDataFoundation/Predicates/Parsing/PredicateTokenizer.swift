/// Splits a format string into tokens, one at a time, with their positions.
///
/// Positions are in Unicode scalars here and in characters in errors.
struct PredicateTokenizer {
    let text: String
    private let scalars: [Unicode.Scalar]
    private(set) var offset = 0
    /// Warnings about probable mistakes: `%@` or `%K` inside quotes.
    private(set) var warnings: [String] = []

    init(_ text: String) throws {
        self.text = text
        guard text.utf8.count <= PredicateLimits.length else {
            let limit = "at most \(PredicateLimits.length) bytes"
            throw PredicateParseError(
                text: String(text.prefix(80)), position: 0, found: "a longer text", expected: limit)
        }
        scalars = Array(text.unicodeScalars)
    }

    /// The next token and its position.
    mutating func next() throws -> (token: PredicateToken, start: Int) {
        skipSpace()
        let start = offset
        guard let scalar = peek() else { return (.end, start) }
        if let uuid = uuid() { return (.uuid(uuid), start) }
        switch scalar {
        case "\"", "'": return (try string(quote: scalar), start)
        case "%": return (try argument(), start)
        case "$": return (try variable(), start)
        case "#": return (try escapedWord(), start)
        case "@": return (try operatorWord(), start)
        case "0"..."9": return (try number(), start)
        case "." where isDigit(peek(1)): return (try number(), start)
        case _ where isNameStart(scalar): return (word(), start)
        default: return (try sign(), start)
        }
    }

    /// An error at a position in scalars.
    func error(at place: Int, found: String, expected: String) -> PredicateParseError {
        let before = String(String.UnicodeScalarView(scalars[..<min(place, scalars.count)]))
        return PredicateParseError(text: text, position: before.count, found: found, expected: expected)
    }
}

extension PredicateTokenizer {
    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        let place = offset + distance
        return place < scalars.count ? scalars[place] : nil
    }

    private mutating func skipSpace() {
        while let scalar = peek(), scalar.properties.isWhitespace { offset += 1 }
    }

    private mutating func take(while belongs: (Unicode.Scalar) -> Bool) -> String {
        let start = offset
        while let scalar = peek(), belongs(scalar) { offset += 1 }
        return String(String.UnicodeScalarView(scalars[start..<offset]))
    }

    private func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { ("0"..."9").contains($0) } ?? false
    }

    /// The UUID that begins here; nil for text that is not a UUID in Foundation's form, or is part of a longer name.
    private mutating func uuid() -> UUID? {
        let end = offset + 36
        guard end <= scalars.count, scalars[offset].properties.isASCIIHexDigit, scalars[offset + 8] == "-",
            !(peek(36).map { isNamePart($0) || $0 == "-" } ?? false)
        else { return nil }
        let text = String(String.UnicodeScalarView(scalars[offset..<end]))
        guard let uuid = UUID(uuidString: text) else { return nil }
        offset = end
        return uuid
    }

    private mutating func word() -> PredicateToken {
        var name = take(while: isNamePart)
        while peek() == ":", peek(1) != "=" {
            offset += 1
            name += ":" + take(while: isNamePart)
        }
        return name.contains(":") ? .functionName(name) : .word(name)
    }

    private mutating func escapedWord() throws -> PredicateToken {
        offset += 1
        if let quote = peek(), quote == "\"", case .string(let name) = try string(quote: quote) {
            return .escapedWord(name)
        }
        return .escapedWord(try name(after: "#"))
    }

    private mutating func operatorWord() throws -> PredicateToken {
        offset += 1
        return .word("@" + (try name(after: "@")))
    }

    private mutating func variable() throws -> PredicateToken {
        offset += 1
        if let quote = peek(), quote == "\"", case .string(let name) = try string(quote: quote) {
            return .variable(name)
        }
        return .variable(try name(after: "$"))
    }

    private mutating func name(after sign: String) throws -> String {
        let name = take(while: isNamePart)
        guard name.isEmpty else { return name }
        throw error(
            at: offset, found: peek().map { "\"\($0)\"" } ?? "the end of the text", expected: "a name after \(sign)")
    }

    private mutating func sign() throws -> PredicateToken {
        for length in [2, 1] where offset + length <= scalars.count {
            let candidate = String(String.UnicodeScalarView(scalars[offset..<offset + length]))
            guard Self.signs.contains(candidate) else { continue }
            offset += length
            return .sign(candidate)
        }
        throw error(at: offset, found: "\"\(scalars[offset])\"", expected: "a name, a value or an operator")
    }

    private static let signs: Set<String> = [
        "==", "=", "!=", "<>", "<=", "=<", ">=", "=>", "<", ">", "&&", "||", "!", "(", ")", "{", "}", "[", "]", ",",
        ".",
        "+", "-", "*", "/", "**", "&", "|", "^", "~", "<<", ">>", ":=",
    ]
}

extension PredicateTokenizer {
    private mutating func argument() throws -> PredicateToken {
        let start = offset
        offset += 1
        switch peek() {
        case "@":
            offset += 1
            return .objectArgument
        case "K":
            offset += 1
            return .keyArgument
        case "s":
            offset += 1
            return .textArgument
        case "%":
            offset += 1
            return .sign("%%")
        default: break
        }
        guard !isDigit(peek()) else {
            throw error(
                at: start, found: "a token with a number",
                expected: "%@ and the like, which take the arguments in "
                    + "their order; a value that is needed twice is a variable such as $x")
        }
        let size = take { "hlqzjtL".unicodeScalars.contains($0) }
        guard let kind = peek(), "diuxXoDUOfFeEgGaAc".unicodeScalars.contains(kind), size.count <= 2 else {
            throw error(
                at: start, found: "an unknown format token", expected: "%@, %K, %d, %i, %u, %ld, %lld, %f, %s or %%")
        }
        offset += 1
        return .numberArgument("%\(size)\(kind)")
    }

    private mutating func string(quote: Unicode.Scalar) throws -> PredicateToken {
        let start = offset
        offset += 1
        var content = String.UnicodeScalarView()
        while let scalar = peek(), scalar != quote {
            offset += 1
            content.append(scalar == "\\" ? try escape(startedAt: offset - 1) : scalar)
        }
        guard peek() == quote else {
            throw error(at: start, found: "a string without its end", expected: "a closing \(quote)")
        }
        offset += 1
        let value = String(content)
        if value.contains("%@") || value.contains("%K") { warnings.append(warning(at: start)) }
        return .string(value)
    }

    private func warning(at place: Int) -> String {
        let place = error(at: place, found: "", expected: "").position
        return "Predicate format: the token inside the quotes at character \(place + 1) is taken literally; "
            + "write it without quotes to insert an argument"
    }

    private mutating func escape(startedAt start: Int) throws -> Unicode.Scalar {
        guard let scalar = peek() else {
            throw error(at: start, found: "the end of the text", expected: "a character after the backslash")
        }
        offset += 1
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "0": return "\0"
        case "u", "U": return try unicodeEscape(startedAt: start)
        default: return scalar
        }
    }

    private mutating func unicodeEscape(startedAt start: Int) throws -> Unicode.Scalar {
        let end = min(offset + 4, scalars.count)
        let digits = String(String.UnicodeScalarView(scalars[offset..<end]))
        guard digits.count == 4, let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else {
            throw error(at: start, found: "an incomplete escape", expected: "four hexadecimal digits after \\u")
        }
        offset = end
        return scalar
    }
}

extension PredicateTokenizer {
    private mutating func number() throws -> PredicateToken {
        let start = offset
        if peek() == "0", let mark = peek(1), let radix = radix(of: mark) { return try number(radix: radix) }
        var digits = take(while: { ("0"..."9").contains($0) })
        var isWhole = true
        if peek() == ".", isDigit(peek(1)) {
            isWhole = false
            offset += 1
            digits += "." + take(while: { ("0"..."9").contains($0) })
        }
        if let exponent = exponent() {
            isWhole = false
            digits += exponent
        }
        guard !(peek().map(isNamePart) ?? false) else {
            throw error(at: start, found: "a name that starts with a digit", expected: "a number or a name")
        }
        if isWhole { return whole(digits) }
        guard let value = Double(digits), value.isFinite else {
            throw error(at: start, found: "a number out of range", expected: "a number")
        }
        return .double(value)
    }

    private func radix(of mark: Unicode.Scalar) -> Int? {
        switch mark {
        case "x", "X": 16
        case "o", "O": 8
        case "b", "B": 2
        default: nil
        }
    }

    private mutating func number(radix: Int) throws -> PredicateToken {
        let start = offset
        offset += 2
        let digits = take(while: isNamePart)
        guard let value = UInt64(digits, radix: radix) else {
            throw error(at: start, found: "\"\(digits.prefix(20))\"", expected: "digits of base \(radix) up to 64 bits")
        }
        return Int(exactly: value).map { .integer($0) } ?? .unsigned(value)
    }

    private func whole(_ digits: String) -> PredicateToken {
        if let value = Int(digits) { return .integer(value) }
        if let value = UInt64(digits) { return .unsigned(value) }
        if digits.count <= 38, let value = Decimal(string: digits) { return .decimal(value) }
        return .double(Double(digits) ?? .infinity)
    }

    private mutating func exponent() -> String? {
        guard peek() == "e" || peek() == "E" else { return nil }
        let signed = peek(1) == "+" || peek(1) == "-"
        guard isDigit(peek(signed ? 2 : 1)) else { return nil }
        let sign = peek(1) == "-" ? "-" : ""
        offset += signed ? 2 : 1
        return "e" + sign + take(while: { ("0"..."9").contains($0) })
    }
}

/// Whether a name in a format string can start with the scalar.
func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar == "_" || scalar.properties.isAlphabetic }
    return scalar.properties.isIDStart || scalar.properties.isEmoji
}

/// Whether a name in a format string can contain the scalar after its start.
func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    isNameStart(scalar) || ("0"..."9").contains(scalar) || (!scalar.isASCII && scalar.properties.isIDContinue)
}
