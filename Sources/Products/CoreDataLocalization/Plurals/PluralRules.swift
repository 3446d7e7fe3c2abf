/// Which plural form a language has for a number.
public struct PluralRules: Sendable {
    /// Conditions by category in CLDR's order, of which the first that holds counts.
    private let rules: [(category: PluralCategory, rule: PluralRule)]

    /// The rules of a language; a language without rules in CLDR has the form `other` alone.
    public init(for tag: LanguageTag) {
        // European Portuguese and what follows it have rules of their own.
        if tag.language == "pt", let region = tag.region, region != "BR", let rules = Self.known["pt-PT"] {
            self = rules
        } else {
            self = Self.known[tag.language] ?? PluralRules(rules: [])
        }
    }

    private init(rules: [(category: PluralCategory, rule: PluralRule)]) { self.rules = rules }

    /// The forms that the language has, in CLDR's order; `other` is the last.
    public var categories: [PluralCategory] { rules.map(\.category) + [.other] }

    /// The form for a number.
    public func category(of number: PluralOperands) -> PluralCategory {
        rules.first { $0.rule.holds(for: number) }?.category ?? .other
    }

    /// The form for an integer.
    public func category(of number: Int64) -> PluralCategory { category(of: PluralOperands(number)) }

    /// The languages that have rules.
    static var languages: [String] { known.keys.sorted() }

    /// Rules by language.
    private static let known = read(PluralRuleTexts.cardinals)

    /// Reads lines of languages, each followed by indented lines `category: condition`.
    private static func read(_ text: String) -> [String: PluralRules] {
        var known: [String: PluralRules] = [:]
        var (languages, rules): ([String], [(PluralCategory, PluralRule)]) = ([], [])
        func close() {
            for language in languages { known[language] = PluralRules(rules: rules) }
            (languages, rules) = ([], [])
        }
        for line in text.split(separator: "\n") {
            guard line.hasPrefix(" ") else {
                if !rules.isEmpty { close() }
                languages += line.split(separator: " ").map(String.init)
                continue
            }
            let halves = line.split(separator: ":", maxSplits: 1)
            guard halves.count == 2, let rule = PluralRule(halves[1]),
                let category = PluralCategory(rawValue: halves[0].trimmingPrefix(while: { $0 == " " }).description)
            else { continue }
            rules.append((category, rule))
        }
        close()
        return known
    }
}
