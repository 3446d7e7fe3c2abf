import CoreDataStore

/// Merges the results of several stores: sorts the rows of all, and groups them.
///
/// Aggregates of the stores' parts cannot be combined in general, so groups are made here, from the stores' values.
struct ValuesOfSeveralStores {
    let query: ValueQuery

    /// The query for one store's part.
    func part(for query: ValueQuery) -> ValueQuery {
        guard let grouping = query.grouping else { return sortedPart(query) }
        return make(query, grouping.keys + grouping.aggregates.map(\.argument))
    }

    /// A query for the rows, followed by their sort keys.
    private func sortedPart(_ query: ValueQuery) -> ValueQuery {
        let order = query.orderings.map {
            ValueColumn(name: $0.name, expression: $0.expression, content: .calculation(.undefinedAttributeType))
        }
        let (end, overflows) = query.limit.addingReportingOverflow(query.offset)
        return make(
            query, query.columns + order, orderings: query.orderings, isDistinct: query.isDistinct,
            limit: query.limit == 0 || overflows ? 0 : end)
    }

    private func make(
        _ query: ValueQuery, _ columns: [ValueColumn], orderings: [ValueOrdering] = [], isDistinct: Bool = false,
        limit: Int = 0
    ) -> ValueQuery {
        ValueQuery(
            binding: query.binding, includesSubentities: query.includesSubentities, predicate: query.predicate,
            columns: columns, grouping: nil, orderings: orderings, isDistinct: isDistinct, limit: limit, offset: 0)
    }

    /// The merged result of the stores' parts.
    func table(_ parts: [ValueTable]) throws -> ValueTable {
        guard let grouping = query.grouping else { return try sorted(parts) }
        var values = GroupedValues(grouping)
        let (keys, width) = (grouping.keys.count, grouping.keys.count + grouping.aggregates.count)
        for part in parts {
            for row in 0..<part.count {
                try values.add(
                    keys: (0..<keys).map { part.value(row, $0) }, arguments: (keys..<width).map { part.value(row, $0) })
            }
        }
        return try ValueSelection(query: query).table(ofGroups: try values.variables())
    }

    private func sorted(_ parts: [ValueTable]) throws -> ValueTable {
        let (width, order) = (query.columns.count, query.orderings.count)
        let table = ValueTable(width: width + order)
        for part in parts { table.append(part) }
        let selection = ValueSelection(query: query)
        let candidates = (0..<table.count).map { row in
            ValueSelection.Candidate(
                identity: query.isDistinct ? (0..<width).map { ValueKey(table.value(row, $0)) } : [],
                order: (width..<width + order).map { selection.tie(table.value(row, $0)) })
        }
        return table.rows(try selection.chosen(candidates), width: width)
    }
}
