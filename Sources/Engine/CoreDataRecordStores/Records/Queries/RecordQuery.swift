import CoreDataStore

/// Executes one query on the tables.
struct RecordQuery {
    private let tables: RecordTables
    private let query: FetchQuery
    private let storeIdentifier: String

    /// - Throws: `NSCoreDataError` if stores do not support the predicate.
    init(_ query: FetchQuery, of tables: RecordTables, storeIdentifier: String) throws {
        self.tables = tables
        self.query = query
        self.storeIdentifier = storeIdentifier
        if let predicate = query.predicate { try PredicateReview.check(predicate, layout.entity) }
    }

    private var layout: EntityLayout { query.binding.layout }

    /// The matching rows in the query's order, within its offset and limit.
    func runs() throws -> [RowRun] {
        guard query.predicate != nil || !query.sortDescriptors.isEmpty else { return window(candidates()) }
        let sorting = try RecordSorting(query.sortDescriptors, layout, of: tables)
        let rows = try sorting.sorted(matching())
        return RowOrder.runs(rows[window(of: rows.count)])
    }

    func count() throws -> Int {
        guard query.predicate != nil else {
            return window(of: tables.count(of: layout, includesSubentities: query.includesSubentities)).count
        }
        return try window(of: matching().count).count
    }

    // MARK: Steps

    private func window(of count: Int) -> Range<Int> {
        let start = min(max(0, query.offset), count)
        guard query.limit > 0 else { return start..<count }
        return start..<start + min(query.limit, count - start)
    }

    private func window(_ runs: [RowRun]) -> [RowRun] {
        let wanted = window(of: runs.reduce(0) { $0 + $1.range.count })
        var passed = 0
        return runs.compactMap { run in
            let part = wanted.clamped(to: passed..<passed + run.range.count)
            let range =
                part.lowerBound - passed + run.range.lowerBound..<part.upperBound - passed + run.range.lowerBound
            passed += run.range.count
            return range.isEmpty ? nil : RowRun(slab: run.slab, range: range)
        }
    }

    /// The rows on which the predicate must be evaluated, in the order of their keys.
    private func candidates() -> [RowRun] {
        let search = KeySearch(tables: tables, entity: layout, storeIdentifier: storeIdentifier)
        guard let predicate = query.predicate, let keys = search.keys(predicate) else {
            return tables.runs(of: layout, includesSubentities: query.includesSubentities)
        }
        let family = tables.family(of: layout, query.includesSubentities)
        let rows = keys.sorted().compactMap { tables.row(root: layout.root, key: $0) }
        return RowOrder.runs(rows.filter { row in family.indices.contains(row.slab.layout.number) })
    }

    /// The rows that match the predicate, in the order of their keys.
    private func matching() throws -> [RowSnapshot] {
        var filter = query.predicate.map { RecordFilter($0, of: tables) }
        var rows: [RowSnapshot] = []
        for run in candidates() {
            for index in run.range {
                let row = RowSnapshot(slab: run.slab, index: index)
                if try filter?.holds(for: row) ?? true { rows.append(row) }
            }
        }
        return rows
    }
}
