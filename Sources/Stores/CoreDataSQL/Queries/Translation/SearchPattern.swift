import CoreDataStore

/// What a search index is asked for a comparison of texts: three scalars at a time, all of which a matching text has.
enum SearchPattern {
    /// The most parts of one question; what is left out is checked by the predicate.
    private static let limit = 48

    /// The question as the index understands it; nil where no three scalars are known that a matching text has.
    static func question(
        _ operation: NSComparisonPredicate.Operator, pattern: String, options: NSComparisonPredicate.Options
    ) -> String? {
        let literals: [String]
        switch operation {
        case .contains, .beginsWith, .endsWith: literals = [pattern]
        case .like: literals = LikePattern(pattern, options: options).literals
        default: return nil
        }
        var parts: [String] = []
        for literal in literals where parts.count < limit {
            parts += SearchKey.parts(of: literal, limit: limit - parts.count)
        }
        return question(of: parts)
    }

    /// The question for texts that have all words of a text; nil for a text without any.
    static func question(words: String) -> String? {
        question(of: Set(SearchWords.words(of: words)).sorted().prefix(limit))
    }

    /// The question for texts that have all words of a text, if it can name them all; nil too for one without any.
    static func question(allWords words: String) -> String? {
        let words = Set(SearchWords.words(of: words))
        // The index cuts off what is longer than any word of a language by far.
        guard words.count <= limit, words.allSatisfy({ $0.utf8.count <= longestWord }) else { return nil }
        return question(of: words.sorted())
    }

    private static let longestWord = 1_000

    private static func question(of parts: some Swift.Collection<String>) -> String? {
        guard !parts.isEmpty else { return nil }
        return parts.map { "\"" + $0.replacingOccurrences(of: "\"", with: "\"\"") + "\"" }.joined(separator: " AND ")
    }
}
