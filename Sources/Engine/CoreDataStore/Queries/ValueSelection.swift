import CoreDataModeling

/// The last steps of a value query, in memory, once the values of all rows are known: removing duplicates, sorting, and
/// applying offset and limit.
package struct ValueSelection {
    /// One result row before the selection: its values for the comparison with others, and its sort keys.
    package struct Candidate {
        /// The values that must differ from those of other rows; empty unless the query is distinct.
        package var identity: [ValueKey] = []
        package var order: [SortKey] = []
        /// Sort keys that decide between rows that `order` considers equal.
        package var tie: [SortKey] = []

        package init(identity: [ValueKey] = [], order: [SortKey] = [], tie: [SortKey] = []) {
            (self.identity, self.order, self.tie) = (identity, order, tie)
        }
    }

    package let query: ValueQuery

    package init(query: ValueQuery) { self.query = query }

    /// The indexes of the candidates that are in the result, in the result's order.
    ///
    /// - Throws: the errors of the comparisons.
    package func chosen(_ candidates: [Candidate]) throws -> [Int] {
        var numbers = Array(candidates.indices)
        if query.isDistinct {
            var seen: Set<[ValueKey]> = []
            numbers = numbers.filter { seen.insert(candidates[$0].identity).inserted }
        }
        let columns = query.orderings.map(\.sorting)
        if !columns.isEmpty || numbers.contains(where: { !candidates[$0].tie.isEmpty }) {
            numbers = try numbers.sorted { left, right in
                try precedes(candidates[left], right: candidates[right], columns: columns) ?? (left < right)
            }
        }
        return Array(numbers[window(of: numbers.count)])
    }

    package func window(of count: Int) -> Range<Int> {
        let start = min(query.offset, count)
        return start..<(query.limit > 0 ? start + min(query.limit, count - start) : count)
    }

    private func precedes(_ left: Candidate, right: Candidate, columns: [Sorting]) throws -> Bool? {
        for (number, column) in columns.enumerated() {
            let order = try left.order[number].order(to: right.order[number], by: column.comparison)
            if order != .orderedSame { return (order == .orderedAscending) == column.ascending }
        }
        for (left, right) in zip(left.tie, right.tie) {
            let order = try left.order(to: right, by: .standard)
            if order != .orderedSame { return order == .orderedAscending }
        }
        return nil
    }
}
