import CoreDataStore

/// Makes the query of a full-text index for a comparison of texts: sequences of three scalars that a matching text
/// contains.
enum SearchPattern {
    /// The maximum number of terms in one query; the predicate itself checks the rest.
    private static let limit = 48

    /// Returns the query in the index's syntax; nil if no three consecutive scalars of matching texts are known.
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

    /// Returns the query for texts that contain all words of a text; nil if the text has no words.
    static func question(words: String) -> String? {
        question(of: Set(SearchWords.words(of: words)).sorted().prefix(limit))
    }

    /// Returns the query for texts that contain all words of a text; nil if it has no words, or too many or too long
    /// ones.
    static func question(allWords words: String) -> String? {
        let words = Set(SearchWords.words(of: words))
        // The index truncates words that are much longer than those of any language.
        guard words.count <= limit, words.allSatisfy({ $0.utf8.count <= longestWord }) else { return nil }
        return question(of: words.sorted())
    }

    private static let longestWord = 1_000

    private static func question(of parts: some Swift.Collection<String>) -> String? {
        guard !parts.isEmpty else { return nil }
        return parts.map { "\"" + $0.replacingOccurrences(of: "\"", with: "\"\"") + "\"" }.joined(separator: " AND ")
    }
}
