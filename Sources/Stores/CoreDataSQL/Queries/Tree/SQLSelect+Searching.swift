extension SQLSelect {
    /// Returns the query rewritten to read the hits of a search in the order of their keys instead of collecting all
    /// first.
    ///
    /// Only applies to a query with a limit that is ordered by key: the index returns its hits in that order, so
    /// reading stops as soon as enough rows are found. Other queries are returned unchanged.
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
        // Orders by the key of the hit: SQLite would not recognize that the row's key has the same order.
        let byHits = Ordering(value: .hit(of: search), collation: nil, ascending: true)
        return SQLSelect(
            result: result, source: source, condition: .all(parts), orderings: [byHits], window: window)
    }
}
