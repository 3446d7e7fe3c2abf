/// The header field by which a browser says which languages its user reads (RFC 9110, 12.5.4).
public struct AcceptLanguage: Sendable {
    /// The greatest length of a field in bytes, and the greatest number of languages in it; what is beyond is not read.
    static let (longest, most) = (4_096, 50)

    /// The languages that are wanted, the most wanted first.
    public let languages: [LanguageTag]
    /// The languages that the field excludes by a weight of 0.
    public let excluded: [LanguageTag]
    /// Whether any other language is wanted too: the field has `*`, or is empty.
    public let acceptsOthers: Bool

    /// Reads a field such as `fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5`; parts that are not valid are left out.
    public init(_ field: String) {
        var wanted: [(tag: LanguageTag, weight: Int)] = []
        var excluded: [LanguageTag] = []
        var others: Int?
        let parts = String(field.utf8.prefix(Self.longest)) ?? ""
        for part in parts.split(separator: ",").prefix(Self.most) {
            let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let name = words.first, let weight = Self.weight(words.dropFirst()) else { continue }
            if name == "*" {
                others = weight
            } else if let tag = LanguageTag(name) {
                if weight == 0 { excluded.append(tag) } else { wanted.append((tag, weight)) }
            }
        }
        let sorted = wanted.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        languages = sorted.map(\.element.tag)
        self.excluded = excluded
        acceptsOthers = others.map { $0 > 0 } ?? (wanted.isEmpty && excluded.isEmpty)
    }

    /// The best of the languages that there are; nil if the field accepts none of them.
    public func best(among available: [String]) -> String? {
        let allowed = available.filter { name in
            guard let tag = LanguageTag(name) else { return false }
            return !excluded.contains { $0.language == tag.language && ($0.region == nil || $0.region == tag.region) }
        }
        return LanguageMatch(among: allowed).best(for: languages) ?? (acceptsOthers ? allowed.first : nil)
    }

    /// The weight in thousandths; nil for one that is not valid.
    private static func weight(_ parameters: ArraySlice<String>) -> Int? {
        guard let parameter = parameters.first else { return 1_000 }
        guard parameters.count == 1, parameter.lowercased().hasPrefix("q=") else { return nil }
        let digits = parameter.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = digits.first, whole == "0" || whole == "1", digits.count <= 2 else { return nil }
        let fraction = digits.count == 2 ? digits[1] : ""
        guard fraction.count <= 3, fraction.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let thousandths = Int(fraction + String(repeating: "0", count: 3 - fraction.count)) ?? 0
        return whole == "1" ? (thousandths == 0 ? 1_000 : nil) : thousandths
    }
}
