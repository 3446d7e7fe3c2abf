/// The rows that a search index ranks highest, by the sum of their scores in each of the searches, then by their keys.
package struct SQLRanking: Sendable, Hashable {
    /// Searches for the same words in several columns.
    package let searches: [SQLSearch]
    /// How many rows there are at most.
    package let limit: Int64
}

extension SQLSelect {
    /// The largest window for which the index returns the best rows.
    private static let greatestReach: Int64 = 100_000
    /// How many rows are looked at for each that is wanted, where a condition beside the search may leave some out.
    private static let spare: Int64 = 20
    private static let leastSpare: Int64 = 1_000

    /// The query that looks only at the rows which searches rank highest; nil where others could come first.
    ///
    /// For queries in the order of the searches' rank, whose condition holds for none but their hits. If it gives as many
    /// rows as are wanted, they are the first ones.
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

    /// What is left to check of the condition for a row that one of the searches finds; nil if it may hold for others.
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
