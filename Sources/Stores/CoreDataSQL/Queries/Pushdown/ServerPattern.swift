import CoreDataStore
import Synchronization

/// Translates a regular expression of ICU to PostgreSQL, for the part of the syntax that has the same meaning in both.
///
/// Supported are characters, `.`, `\w`, `\d`, classes of ASCII, groups, alternatives and repetitions. The complete text
/// must match, so it does not matter in which order an engine tries alternatives. The scalars that an atom matches are
/// computed in memory with ICU and written out, so that the server's tables do not matter.
struct ServerPattern {
    private var rest: Substring.UnicodeScalarView
    private var ignoresCase: Bool
    private var depth = 0

    /// Returns the expression for a complete text; nil if its meaning might differ.
    static func translated(_ pattern: String, ignoresCase: Bool) -> String? {
        let key = (ignoresCase ? "i" : "-") + pattern
        if let known = cache.withLock({ $0[key] }) { return known }
        var reader = ServerPattern(rest: Substring(pattern).unicodeScalars, ignoresCase: ignoresCase)
        let translated = reader.whole()
        cache.withLock { known in
            if known.count >= 64 { known.removeAll() }
            known[key] = .some(translated)
        }
        return translated
    }

    /// Caches the translated expressions by pattern.
    private static let cache = Mutex<[String: String?]>([:])

    private init(rest: Substring.UnicodeScalarView, ignoresCase: Bool) {
        self.rest = rest
        self.ignoresCase = ignoresCase
    }

    private mutating func whole() -> String? {
        if String(rest).hasPrefix("(?i)") {
            rest = rest.dropFirst(4)
            ignoresCase = true
        }
        guard !rest.contains(where: { $0.value <= 2 }), !(ignoresCase && mayGrow(rest)),
            let body = alternatives(), rest.isEmpty
        else { return nil }
        return "^(?:\(body))$"
    }

    /// Whether a sequence of letters in the pattern may be one letter in the text, as ss may be ß.
    private func mayGrow(_ pattern: Substring.UnicodeScalarView) -> Bool {
        let folded = Array(TextFolding.folded(String(pattern), options: .caseInsensitive).unicodeScalars)
        let pairs = Set(zip(folded, folded.dropFirst()).map { "\($0)\($1)" })
        return FoldingTable.composed.multiple.contains { _, several in
            pairs.contains(String(String.UnicodeScalarView(several.unicodeScalars.prefix(2))))
        }
    }

    private mutating func alternatives() -> String? {
        var parts: [String] = []
        repeat {
            var sequence = ""
            while let next = rest.first, next != "|", next != ")" {
                guard let atom = atom(), let count = repetition() else { return nil }
                sequence += atom + count
            }
            parts.append(sequence)
        } while take("|")
        return parts.joined(separator: "|")
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func atom() -> String? {
        guard let scalar = rest.popFirst() else { return nil }
        switch scalar {
        case "(":
            if take("?"), !take(":") { return nil }
            depth += 1
            defer { depth -= 1 }
            guard depth < 20, let body = alternatives(), take(")") else { return nil }
            return "(?:\(body))"
        case ".": return "(?:\u{1}[\u{1}\u{2}]|[^\u{1}\n\u{B}\u{C}\r\u{85}\u{2028}\u{2029}])"
        case "[": return bracket()
        case "\\":
            switch rest.popFirst() {
            case "w": return Self.words.bracket
            case "d": return Self.digits.bracket
            case let mark? where mark.isASCII && !Self.isLetter(mark) && mark.value > 0x20: return "\\\(mark)"
            default: return nil
            }
        case "*", "+", "?", "{", "}", "]", "^", "$", "#": return nil
        default: return ignoresCase ? Self.matched(by: Self.escaped(scalar)) : Self.escaped(scalar)
        }
    }

    /// Reads a class of ASCII characters and ranges; nil for any other class, such as a negated one.
    private mutating func bracket() -> String? {
        var content = ""
        var isFirst = true
        while let scalar = rest.popFirst(), scalar != "]" {
            let isPlain = Self.isLetter(scalar) || scalar == "_" || (scalar == "-" && !isFirst && rest.first != "]")
            guard isPlain else { return nil }
            content.unicodeScalars.append(scalar)
            isFirst = false
        }
        guard !isFirst, Self.isWellFormed(content) else { return nil }
        return ignoresCase ? Self.matched(by: "[\(content)]") : "[\(content)]"
    }

    /// Whether every hyphen is between the two ends of a range.
    private static func isWellFormed(_ content: String) -> Bool {
        let expression = try? NSRegularExpression(pattern: "(?:[A-Za-z0-9_](?:-[A-Za-z0-9_])?)+")
        let range = NSRange(location: 0, length: content.utf16.count)
        return expression?.firstMatch(in: content, range: range)?.range == range
    }

    private mutating func repetition() -> String? {
        switch rest.first {
        case "*", "+", "?":
            guard let sign = rest.popFirst(), rest.first != "+" else { return nil }
            _ = take("?")
            return String(sign)
        case "{":
            guard let end = rest.firstIndex(of: "}") else { return nil }
            let count = String(rest[rest.index(after: rest.startIndex)..<end])
            let bounds = count.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            let (least, most) = (bounds.first.flatMap { $0 }, bounds.last.flatMap { $0 })
            guard bounds.count <= 2, let least, (0...255).contains(least),
                most.map({ least <= $0 && $0 <= 255 }) ?? true,
                !count.contains(where: { !$0.isASCII || !($0.isNumber || $0 == ",") })
            else { return nil }
            rest = rest[rest.index(after: end)...]
            guard rest.first != "+", rest.first != "?" else { return nil }
            return "{\(count)}"
        default: return ""
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        scalar.isASCII && !isLetter(scalar) && scalar.value > 0x20 ? "\\\(scalar)" : String(scalar)
    }

    // MARK: What atoms stand for

    private static let words = ScalarClass(numbers(matching: "\\w", [], all))
    private static let digits = ScalarClass(numbers(matching: "\\d", [], all))

    /// Returns the class of all characters that an atom matches without regard to case.
    private static func matched(by atom: String) -> String? {
        let cased = (3..<0x80).compactMap { Unicode.Scalar($0) } + letters
        let own = atom.unicodeScalars.filter { !$0.isASCII && !cased.contains($0) }
        let found = numbers(matching: atom, .caseInsensitive, cased + own)
        guard let first = found.first else { return nil }
        // A single ASCII sign is escaped: in a class it might have a special meaning.
        if found.count == 1 { return Unicode.Scalar(first).map(escaped) }
        return ScalarClass(found).bracket
    }

    /// Includes scalars that normalization would replace, such as the Kelvin sign: texts are matched without
    /// normalization.
    private static let letters = ScalarClass.scalars.filter {
        $0.properties.changesWhenCaseMapped || $0.properties.changesWhenCaseFolded
    }

    private static var all: [Unicode.Scalar] {
        [3..<0xD800, 0xE000..<0x110000].joined().compactMap { Unicode.Scalar(UInt32($0)) }
    }

    /// Returns the numbers of the scalars that a pattern matches on their own.
    private static func numbers(
        matching pattern: String, _ options: NSRegularExpression.Options, _ scalars: [Unicode.Scalar]
    ) -> [UInt32] {
        guard let expression = try? NSRegularExpression(pattern: pattern, options: options) else { return [] }
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            text.append(scalar)
            text.append("\u{1}")
        }
        let whole = String(text) as NSString
        var numbers: [UInt32] = []
        expression.enumerateMatches(
            in: String(text), range: NSRange(location: 0, length: whole.length)
        ) { result, _, _ in
            guard let range = result?.range, let scalar = whole.substring(with: range).unicodeScalars.first else {
                return
            }
            numbers.append(scalar.value)
        }
        return numbers.sorted()
    }
}
