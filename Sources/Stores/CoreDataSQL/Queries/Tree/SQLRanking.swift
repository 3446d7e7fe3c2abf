/// The rows that a search index ranks highest: by the sum of their scores in all searches, then by key.
package struct SQLRanking: Sendable, Hashable {
    /// Searches for the same words in several columns.
    package let searches: [SQLSearch]
    /// The maximum number of rows.
    package let limit: Int64
}

extension SQLSelect {
    /// The greatest limit and offset for which the best rows are read from the index.
    private static let greatestReach: Int64 = 100_000
    /// How many rows are examined for each requested row, if a condition besides the search may exclude some.
    private static let spare: Int64 = 20
    private static let leastSpare: Int64 = 1_000

    /// Returns the query restricted to the rows that the searches rank highest; nil if other rows could come before
    /// them.
    ///
    /// For queries that are ordered by the searches' rank and whose condition is true for hits only. If the restricted
    /// query returns as many rows as requested, they are the first rows of the complete query.
    func amongBest(of searches: [SQLSearch]) -> SQLSelect? {
        guard let limit = window?.limit, let offset = window?.offset, limit <= Self.greatestReach,
            offset <= Self.greatestReach, !searches.isEmpty, let rest = condition(within: Set(searches))
        else { return nil }
        let reach = limit + offset
        let isAlone = if case .all = rest { false } else { true }
        let ranking = SQLRanking(
            searches: searches, limit: isAlone ? reach : max(Self.leastSpare, reach * Self.spare))
        return SQLSelect(
            result: result, source: source,
            condition: .conjunction([.ranked(SQLColumn(source.alias, "Z_PK"), ranking), rest]), orderings: orderings,
            window: window)
    }

    /// Returns the rest of the condition for rows found by one of the searches; nil if other rows may satisfy the
    /// condition.
    private func condition(within searches: Set<SQLSearch>) -> SQLExpression? {
        let key = SQLColumn(source.alias, "Z_PK")
        func isHit(_ part: SQLExpression) -> Bool {
            if case .searched(key, let search) = part { searches.contains(search) } else { false }
        }
        func withoutHit(_ part: SQLExpression) -> SQLExpression? {
            guard case .all(var parts) = part, let place = parts.firstIndex(where: isHit) else { return nil }
            parts.remove(at: place)
            return .conjunction(parts)
        }
        if let rest = withoutHit(condition) { return rest }
        var parts = if case .all(let parts) = condition { parts } else { [condition] }
        for (place, part) in parts.enumerated() {
            guard case .any(let choices) = part else { continue }
            let checks = choices.compactMap(withoutHit)
            guard checks.count == choices.count else { continue }
            parts[place] = .disjunction(checks)
            return .conjunction(parts)
        }
        return nil
    }
}
