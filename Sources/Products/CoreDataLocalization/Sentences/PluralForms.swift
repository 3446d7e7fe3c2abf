/// The plural forms of a sentence, which have the sentence's key with a form behind it: `{} objects.few`.
struct PluralForms: Sendable {
    private var forms: [PluralCategory: String] = [:]

    init(of english: String, in texts: [String: String]) {
        for category in PluralCategory.allCases {
            if let text = texts["\(english).\(category.rawValue)"] { forms[category] = text }
        }
    }

    /// The sentence of which a key is a plural form; nil for a key of its own.
    static func stem(of key: String, in texts: [String: String]) -> String? {
        guard let dot = key.lastIndex(of: "."), PluralCategory(rawValue: String(key[key.index(after: dot)...])) != nil
        else { return nil }
        let stem = String(key[..<dot])
        return texts[stem] == nil ? nil : stem
    }

    /// The form for the first integer among the values; nil where there is no integer or no form for it.
    func form(for values: [String], rules: PluralRules) -> String? {
        guard !forms.isEmpty, let number = values.lazy.compactMap({ Int64($0) }).first else { return nil }
        if number == 0, let zero = forms[.zero] { return zero }
        return forms[rules.category(of: number)] ?? forms[.other]
    }
}
