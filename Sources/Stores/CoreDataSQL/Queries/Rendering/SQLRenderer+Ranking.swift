import CoreDataStore

extension SQLRenderer {
    /// Appends the condition that a row is among those that the search index ranks highest.
    mutating func append(_ ranking: SQLRanking, _ key: SQLColumn) throws {
        noteSearchIndex()
        append(key)
        append(" IN ")
        try holding(10) { renderer in
            renderer.append("(")
            if ranking.searches.count == 1 {
                try renderer.append(best: ranking.searches[0])
            } else {
                try renderer.append(best: ranking.searches)
            }
            renderer.append(" LIMIT ")
            try renderer.bind(.integer(ranking.limit))
            renderer.append(")")
        }
    }

    private mutating func append(best search: SQLSearch) throws {
        append("SELECT rowid")
        try append(hitsOf: search)
        append(" ORDER BY \(rank(search)) DESC, rowid")
    }

    /// A row's rank is the sum of its scores in each search.
    private mutating func append(best searches: [SQLSearch]) throws {
        append("SELECT key FROM (")
        for (offset, search) in searches.enumerated() {
            append(offset == 0 ? "" : " UNION ALL ")
            append("SELECT rowid AS key, \(rank(search)) AS rank")
            try append(hitsOf: search)
        }
        append(") GROUP BY key ORDER BY SUM(rank) DESC, key")
    }

    private mutating func append(hitsOf search: SQLSearch) throws {
        let table = dialect.searchTable(search)
        append(" FROM \(dialect.searchSchema).\(table) WHERE \(table) MATCH ")
        try bind(.text(search.question))
    }

    private func rank(_ search: SQLSearch) -> String {
        "\(SQLFunctionLibrary.indexedRank)(\(dialect.searchTable(search)))"
    }
}
