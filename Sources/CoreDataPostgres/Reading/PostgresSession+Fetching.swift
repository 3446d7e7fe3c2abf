import CoreDataSQL
import PostgresKit

extension PostgresSession {
    /// The rows that a query selects, in its order; one question where the server can decide all of it.
    func fetch(_ query: FetchQuery) throws -> FetchedRows {
        let table = try shape.table(of: query.binding.layout)
        if !query.includesValues, let addresses = try addresses(query, table) { return .addresses(addresses) }
        let runs = try rows(query, table)
        guard !query.includesValues else { return .rows(runs) }
        var addresses = AddressList()
        for run in runs {
            for index in run.range { addresses.append(run.slab.key(index), of: run.slab.binding) }
        }
        return .addresses(addresses)
    }

    /// The rows of a query with their values.
    func rows(_ query: FetchQuery, _ table: RowTable) throws -> [RowRun] {
        let selection = shape.selection(of: table.mapping, withDescendants: query.includesSubentities)
        let pushed = try shape.compiled { try $0.pushed(query, columns: selection.columns, schema.types) }
        return try reporting("be read") {
            guard pushed.isWindowed else { return try RowEvaluation(self, query, pushed, selection).runs() }
            // A copy takes no parameters; what has none, not even a limit, may be many rows.
            if pushed.query.parameters.isEmpty { return try copiedRows(pushed.query.sql, selection) }
            let result = try self.query(pushed.query)
            var reader = RowReader(shape, selection, expectedCount: result.rowCount)
            return reader.read(result)
        }
    }

    /// The rows of a selection, taken apart as they come: libpq's result would have all of them in memory once more, and half of
    /// a fetch's time is what that takes.
    private func copiedRows(_ sql: String, _ selection: RowSelection) throws -> [RowRun] {
        let row = CopiedRow(width: selection.columns.count)
        var reader = RowReader(shape, selection, expectedCount: 1)
        try connection.copyOut("COPY (\(sql)) TO STDOUT (FORMAT binary)") { bytes in
            try row.read(bytes) { reader.readRow(0, of: row) }
        }
        try row.requireEnd()
        return reader.takeRuns()
    }

    /// The addresses of a query's rows; nil where only their values decide which they are.
    private func addresses(_ query: FetchQuery, _ table: RowTable) throws -> AddressList? {
        let pushed = try shape.compiled { try $0.pushed(query, columns: ["Z_PK", "Z_ENT"], schema.types) }
        guard pushed.isWindowed else { return nil }
        return try reporting("be read") { addresses(of: try self.query(pushed.query), within: table.mapping) }
    }

    func count(_ query: FetchQuery) throws -> Int {
        let table = try shape.table(of: query.binding.layout)
        guard let count = try shape.compiled({ try $0.pushedCount(query, schema.types) }) else {
            return try rows(query, table).rowCount
        }
        return try reporting("be read") { Int(try self.query(count).int64(0, 0) ?? 0) }
    }
}
