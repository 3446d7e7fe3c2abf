extension SQLSelect {
    /// The query that reads the hits of a search in the order of their keys, instead of collecting all of them first.
    ///
    /// Only for a few rows in the order of keys, in which an index returns its hits: so it ends when these are found.
    func leadBySearch() -> SQLSelect {
        guard window?.limit != nil, orderings.count == 1, let order = orderings.first, order.ascending,
            case .column(let key) = order.value, key == SQLColumn(source.alias, "Z_PK"),
            case .all(var parts) = condition,
            let place = parts.firstIndex(where: { if case .searched(key, _) = $0 { true } else { false } }),
            case .searched(_, var search) = parts[place]
        else { return self }
        search.isLeading = true
        parts[place] = .searched(key, search)
        var source = source
        source.leadingSearch = search
        // The key of the hit, as SQLite does not see that the row's is the same when it looks for an order.
        let byHits = Ordering(value: .hit(of: search), collation: nil, ascending: true)
        return SQLSelect(
            result: result, source: source, condition: .all(parts), orderings: [byHits], window: window)
    }
}
