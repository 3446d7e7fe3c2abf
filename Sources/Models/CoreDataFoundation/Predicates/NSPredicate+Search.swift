extension NSPredicate {
    /// A predicate for objects with a text, at one of the key paths, that has all given words, ignoring case and
    /// diacritics.
    ///
    /// Not in Apple's framework. Words are runs of letters and digits; without words the predicate is false. In a
    /// format string it is `occurrencesOfWords:in:('swift data', title) > 0`. SQLite stores use the search index of a
    /// marked attribute.
    public static func search(_ words: String, in keyPaths: [String]) -> NSPredicate {
        NSCompoundPredicate(
            orPredicateWithSubpredicates: keyPaths.map { keyPath in
                NSComparisonPredicate(
                    leftExpression: NSExpression(
                        .function(
                            .occurrences,
                            arguments: [NSExpression(.constant(words)), NSExpression(forKeyPath: keyPath)])),
                    rightExpression: NSExpression(.constant(0)), modifier: .direct, type: .greaterThan, options: [])
            })
    }
}

extension SearchRank {
    /// The rank as an expression: the sum of the ranks at all key paths.
    package var expression: NSExpression {
        let terms = keyPaths.map { keyPath in
            NSExpression(
                .function(.rank, arguments: [NSExpression(.constant(words)), NSExpression(forKeyPath: keyPath)]))
        }
        guard let first = terms.first else { return NSExpression(.constant(0)) }
        return terms.dropFirst().reduce(first) { NSExpression(.function(.add, arguments: [$0, $1])) }
    }
}
