import CoreDataGraph

/// Generates texts that match a simple regular expression.
///
/// It supports characters, `.`, `\d`, `\w`, `\s` and escaped characters, sets such as `[a-z0-9_]`, groups with
/// alternatives, and `?`, `*`, `+`, `{n}`, `{n,}` and `{n,m}`; it ignores `^` and `$`, and rejects everything else.
struct SamplePattern {
    private indirect enum Part {
        case set([Character])
        /// One of several alternatives; each alternative is a sequence of parts.
        case choice([[Part]])
        case repeated(Part, Int, Int)
    }

    private static let deepest = 20
    private static let longestRun = 1_000
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")
    private static let digits = Array("0123456789")

    private var rest: Substring
    private var whole: Part = .choice([[]])

    /// Parses a regular expression; nil if it uses unsupported syntax.
    init?(_ pattern: String) {
        rest = pattern[...]
        guard let part = choice(depth: 0), rest.isEmpty else { return nil }
        whole = part
    }

    func text(_ random: inout SampleRandom) -> String {
        var text = ""
        write(whole, text: &text, random: &random)
        return text
    }

    private func write(_ part: Part, text: inout String, random: inout SampleRandom) {
        guard text.utf8.count < Self.longestRun * 4 else { return }
        switch part {
        case .set(let characters): text.append(characters[random.next(below: characters.count)])
        case .choice(let series):
            for part in series[random.next(below: series.count)] { write(part, text: &text, random: &random) }
        case .repeated(let part, let least, let most):
            for _ in 0..<(least + random.next(below: most - least + 1)) { write(part, text: &text, random: &random) }
        }
    }

    // MARK: Reading

    private mutating func choice(depth: Int) -> Part? {
        guard depth < Self.deepest else { return nil }
        var series: [[Part]] = []
        repeat {
            guard let parts = sequence(depth: depth) else { return nil }
            series.append(parts)
        } while take("|")
        return .choice(series)
    }

    private mutating func sequence(depth: Int) -> [Part]? {
        var parts: [Part] = []
        while let next = rest.first, next != "|", next != ")" {
            if take("^") || take("$") { continue }
            guard let atom = atom(depth: depth), let part = repetition(of: atom) else { return nil }
            parts.append(part)
        }
        return parts
    }

    private mutating func atom(depth: Int) -> Part? {
        guard let next = rest.popFirst() else { return nil }
        switch next {
        case "(":
            if rest.hasPrefix("?:") { rest = rest.dropFirst(2) }
            guard rest.first != "?", let part = choice(depth: depth + 1), take(")") else { return nil }
            return part
        case "[": return set()
        case ".": return .set(Self.letters)
        case "\\": return rest.popFirst().flatMap(Self.escaped).map { .set($0) }
        case "*", "+", "?", "{", "}", "]": return nil
        default: return .set([next])
        }
    }

    /// The characters that an escape sequence matches; nil if it is unsupported, such as `\b`.
    private static func escaped(_ character: Character) -> [Character]? {
        switch character {
        case "d": digits
        case "w": letters + digits + ["_"]
        case "s": [" "]
        default: character.isLetter || character.isNumber ? nil : [character]
        }
    }

    private mutating func set() -> Part? {
        guard rest.first != "^" else { return nil }
        var characters: [Character] = []
        while let next = rest.popFirst(), next != "]" {
            if next == "\\" {
                guard let escaped = rest.popFirst().flatMap(Self.escaped) else { return nil }
                characters += escaped
            } else if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
                guard let low = next.asciiValue, let high = end.asciiValue, low <= high else { return nil }
                characters += (low...high).map { Character(UnicodeScalar($0)) }
                rest = rest.dropFirst(2)
            } else {
                characters.append(next)
            }
        }
        return characters.isEmpty ? nil : .set(characters)
    }

    private mutating func repetition(of part: Part) -> Part? {
        if take("?") { return .repeated(part, 0, 1) }
        if take("*") { return .repeated(part, 0, 4) }
        if take("+") { return .repeated(part, 1, 5) }
        guard take("{") else { return part }
        guard let end = rest.firstIndex(of: "}") else { return nil }
        let bounds = rest[..<end].split(separator: ",", omittingEmptySubsequences: false)
        rest = rest[rest.index(after: end)...]
        guard let least = bounds.first.flatMap({ Int($0) }), (0...Self.longestRun).contains(least) else { return nil }
        guard bounds.count == 2 else { return bounds.count == 1 ? .repeated(part, least, least) : nil }
        let most = bounds[1].isEmpty ? least + 4 : Int(bounds[1]) ?? -1
        guard most >= least, most <= Self.longestRun else { return nil }
        return .repeated(part, least, most)
    }

    private mutating func take(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest = rest.dropFirst()
        return true
    }
}
