import CoreDataFoundation
import TestBasics

/// Makes format strings: half of them good ones with a few changes, half of them soups of tokens.
@MainActor
struct FormatMutator {
    private var random: SeededRandom
    private static let pool = PredicatePool.formats.filter { $0.0.utf8.count < 200 }
    private static let arguments: [Any?] = [
        "abc", 5, nil, [1, 2, nil] as [Any?], Date(timeIntervalSinceReferenceDate: 0), 2.5, Data([1]), "a.b.c",
        [:] as [String: Any],
        Decimal(7), UUID(), Int64.min, Double.nan,
    ]
    private static let tokens = [
        "(", ")", "{", "}", "[", "]", "[cd]", "[c]", "[x]", ",", ".", "==", "=", "!=", "<>", "<", "<=", "=>", ">", ">=",
        "=<", "!", "&&", "||", "&", "|", "^", "~", "<<", ">>", "+", "-", "*", "**", "/", "%", "%%", "%@", "%K", "%d",
        "%ld", "%f", "%z", ":=", ":", "$", "$x", "@", "@count", "@sum", "@avg", "#", "#and", "AND", "and", "OR", "NOT",
        "ANY", "ALL", "NONE", "SOME", "IN", "BETWEEN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "TRUE",
        "FALSE", "YES", "NO", "nil", "NULL", "SELF", "self", "FIRST", "LAST", "SIZE", "ANYKEY", "TRUEPREDICATE",
        "FALSEPREDICATE", "SUBQUERY(", "FUNCTION(", "TERNARY(", "CAST(", "FETCH(", "BLOCK(", "UNION", "INTERSECT",
        "MINUS", "now()", "sum(", "max(", "uppercase(", "name", "a", "b.c", "x.@max.y", "'text'", "\"text\"", "'", "\"",
        "'\\u00e4'", "'\\", "\\", "0", "1", "007", "1.5", ".5", "5.", "1e9", "1e999", "-9223372036854775808",
        "9223372036854775808", "0x1F", "0b101", "0o17", "0x", "99999999999999999999999", "ä", "👨‍👩‍👧", "\u{301}", "\u{0}",
        "$x := 1", "$x:=a", "FETCH(a, b, NO)", "FETCH($r, $c, YES)", "BETWEEN[c]", "[FIRST]",
        "objectFrom:withIndex:(a, SIZE)",
        "randomn(5)", "$\"odd x\"", "%1$@", "'x'.length", "{1, 2}.@count", "CAST('NaN', 'NSDecimalNumber')",
        "CAST('inf', 'NSDate')", "SUBQUERY(a, $x, $x.b == 1)", "TERNARY(a == 1, b, c)", "\r\n", "\t", " ", "",
        "\u{FEFF}", "\u{202E}", "'NSDate'", "inf", "nan", ";", "`", "?", "_",
    ]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// A text with more or fewer arguments than it asks for.
    mutating func next() -> (String, [Any?]) {
        guard random.next(below: 2) == 0 else { return (soup(), someArguments()) }
        let (format, arguments) = pick(Self.pool)
        return (mutation(of: format), random.next(below: 3) > 0 ? arguments : someArguments())
    }

    private mutating func someArguments() -> [Any?] { (0..<random.next(below: 4)).map { _ in pick(Self.arguments) } }

    private mutating func soup() -> String {
        // Seldom a long one: a token many times over is how nesting gets deep.
        if random.next(below: 200) == 0 {
            return String(repeating: pick(Self.tokens) + pick(["", " "]), count: random.next(below: 2_000)) + "a == 1"
        }
        let space = pick(["", " ", " ", " "])
        return (0..<1 + random.next(below: 12)).map { _ in pick(Self.tokens) }.joined(separator: space)
    }

    private mutating func mutation(of format: String) -> String {
        var scalars = Array(format.unicodeScalars)
        for _ in 0..<1 + random.next(below: 3) {
            let place = random.next(below: scalars.count + 1)
            let end = min(scalars.count, place + random.next(below: 6))
            switch random.next(below: 5) {
            case 0: scalars.removeSubrange(place..<end)
            case 1: scalars.insert(contentsOf: pick(Self.tokens).unicodeScalars, at: place)
            case 2: scalars.replaceSubrange(place..<end, with: pick(Self.tokens).unicodeScalars)
            case 3: scalars.insert(contentsOf: Array(scalars[place..<end]), at: random.next(below: scalars.count + 1))
            default:
                scalars.append(contentsOf: " \(pick(["AND", "OR", "+", "=="])) \(pick(Self.pool).0)".unicodeScalars)
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private mutating func pick<Element>(_ all: [Element]) -> Element { all[random.next(below: all.count)] }
}
