import Foundation

extension OwnTexts {
    /// The sentences of validation errors in the first of the languages that has them, by the library's English ones; nil where that
    /// is English.
    ///
    /// ```swift
    /// import CoreData
    /// import CoreDataLocalization
    ///
    /// func speak(_ choice: LanguageChoice) {
    ///     let sentences = OwnTexts.validationSentences(for: choice)
    ///     CoreDataErrorTexts.translation = { sentences?.text($0) }
    /// }
    /// ```
    public static func validationSentences(for choice: LanguageChoice) -> SentenceTable? {
        let shown = ShownLanguage(choice, among: languages, isNamed: true)
        guard shown.name != "en" else { return nil }
        return SentenceTable(validationSentences(in: shown.name), language: shown.tag, locale: shown.formats)
    }

    /// The library's English sentences of validation errors, with `{}` for what is filled in, and the same in a language.
    static func validationSentences(in language: String) -> [String: String] {
        var sentences: [String: String] = [:]
        for key in tables.keys(table: validationTable, language: "en") {
            let own = texts(of: key, in: language)
            for english in texts(of: key, in: "en").values {
                let (pattern, order) = SpecifierPlaces.pattern(english)
                for (category, text) in own {
                    let text = SpecifierPlaces.filled(text, order)
                    if own.count > 1 { sentences["\(pattern).\(category.rawValue)"] = text }
                    if category == .other { sentences[pattern] = text }
                }
            }
        }
        return sentences
    }

    /// The forms of a text in a language; a text without forms is its form `other`.
    private static func texts(of key: String, in language: String) -> [PluralCategory: String] {
        switch tables.entry(key, table: validationTable, in: language)?.variants {
        case .text(let text): [.other: text]
        case .plural(let forms): forms.compactMapValues { $0.texts.first }
        case .device, .width, nil: [:]
        }
    }
}

/// Turns specifiers of a text into the places of a sentence.
enum SpecifierPlaces {
    /// `'%1$@' of entity '%2$@'` as `'{}' of entity '{}'`, with the numbers of the arguments in their order.
    static func pattern(_ text: String) -> (pattern: String, order: [Int]) {
        var order: [Int] = []
        let pattern = replaced(text) { number in
            order.append(number)
            return "{}"
        }
        return (pattern, order)
    }

    /// The specifiers of a text as `{n}`, the places in the English order.
    static func filled(_ text: String, _ order: [Int]) -> String {
        replaced(text) { number in "{\((order.firstIndex(of: number) ?? 0) + 1)}" }
    }

    /// Replaces `%@`, `%lld`, `%1$@` and the like, each by its argument's number.
    private static func replaced(_ text: String, by place: (Int) -> String) -> String {
        var next = 0
        return text.replacing(/%(?:(\d)\$)?(?:@|lld)/) { match in
            let number = match.1.flatMap { Int($0) }
            if number == nil { next += 1 }
            return place(number ?? next)
        }
    }
}
