import CoreDataRecordStores
import CoreDataSQL
import PostgresKit

/// Completes a query in memory as far as the server cannot: excludes rows, sorts them, and applies limit and offset.
///
/// Rows arrive a thousand at a time; the predicate is evaluated for those that the server reports as in doubt. If the
/// server sorts, reading stops when enough rows have been found.
struct RowEvaluation {
    private let session: PostgresSession
    private let query: FetchQuery
    private let pushed: PushedQuery
    private let selection: PostgresRowSelection
    private let records: ServerRecords

    init(_ session: PostgresSession, query: FetchQuery, pushed: PushedQuery, selection: PostgresRowSelection) {
        self.session = session
        self.query = query
        self.pushed = pushed
        self.selection = selection
        records = ServerRecords(session)
    }

    func runs() throws -> [RowRun] {
        try session.readingOneState {
            let rows = try sorted(matching())
            return RowOrder.runs(rows[window(of: rows.count)])
        }
    }

    private func window(of count: Int) -> Range<Int> {
        let start = min(max(0, query.offset), count)
        guard query.limit > 0 else { return start..<count }
        return start..<start + min(query.limit, count - start)
    }

    /// The number of rows needed, including those before the offset; nil if all rows must be read.
    private var wanted: Int? {
        pushed.isSorted && query.limit > 0 ? max(0, query.offset) + query.limit : nil
    }

    private func matching() throws -> [RowSnapshot] {
        let filter = pushed.isExact ? nil : query.predicate
        let paths = RelationshipPaths(filter).paths
        var condition = filter.map { RecordFilter($0, of: records) }
        var rows: [RowSnapshot] = []
        var cursor = try RowCursor(pushed.query, session)
        while let result = try cursor.next() {
            var reader = PostgresRowReader(session.shape, selection, expectedCount: result.rowCount)
            let found = reader.read(result).flatMap { run in
                run.range.map { RowSnapshot(slab: run.slab, index: $0) }
            }
            let doubtful = filter == nil ? [] : keysInDoubt(result)
            let asked = found.filter { doubtful.contains($0.key) }
            session.shape.evaluations.add(asked.count)
            records.prefetch(paths, from: asked)
            for row in found where try !doubtful.contains(row.key) || condition?.holds(for: row) ?? true {
                rows.append(row)
            }
            try records.requireRead()
            records.forget()
            if let wanted, rows.count >= wanted { break }
        }
        try cursor.close()
        return rows
    }

    /// Returns the keys of the rows in doubt; all rows are of one table.
    private func keysInDoubt(_ result: PostgresResult) -> Set<Int64> {
        let flag = selection.columns.count
        return Set((0..<result.rowCount).lazy.filter { result.int64($0, flag) != 1 }.compactMap { result.int64($0, 0) })
    }

    private func sorted(_ rows: [RowSnapshot]) throws -> [RowSnapshot] {
        guard !pushed.isSorted else { return rows }
        records.prefetch(RelationshipPaths(nil, query.sortDescriptors).paths, from: rows)
        let sorting = try RecordSorting(query.sortDescriptors, query.binding.layout, of: records)
        let sorted = try sorting.sorted(rows)
        try records.requireRead()
        return sorted
    }
}
