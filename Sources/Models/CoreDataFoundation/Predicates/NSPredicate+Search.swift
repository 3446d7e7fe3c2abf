extension NSPredicate {
    /// Objects whose texts at one of the key paths have all words of a text, without regard to case and marks.
    ///
    /// Not one of Apple's. Words are runs of letters and digits; a text without any finds nothing. In a format string it is
    /// `occurrencesOfWords:in:('swift data', title) > 0`. SQLite stores ask the index of a marked attribute.
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
    /// The rank as an expression.
    package var expression: NSExpression {
        let terms = keyPaths.map { keyPath in
            NSExpression(
                .function(.rank, arguments: [NSExpression(.constant(words)), NSExpression(forKeyPath: keyPath)]))
        }
        guard let first = terms.first else { return NSExpression(.constant(0)) }
        return terms.dropFirst().reduce(first) { NSExpression(.function(.add, arguments: [$0, $1])) }
    }
}
