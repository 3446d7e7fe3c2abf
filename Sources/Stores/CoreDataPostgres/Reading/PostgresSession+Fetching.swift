import CoreDataSQL
import PostgresKit

extension PostgresSession {
    /// Returns the rows that a query selects, in its order; with one statement if the server decides the query
    /// completely.
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

    /// Returns the rows of a query with their values.
    func rows(_ query: FetchQuery, _ table: RowTable) throws -> [RowRun] {
        let selection = shape.selection(of: table.mapping, withDescendants: query.includesSubentities)
        let pushed = try shape.compiled { try $0.pushed(query, columns: selection.columns, schema.types) }
        return try reporting("be read") {
            // COPY is used for queries that may return many rows: those without a limit, as COPY takes no parameters.
            if pushed.isWindowed, pushed.query.parameters.isEmpty { return try copiedRows(pushed.query.sql, selection) }
            if let runs = try rows(pushed, query: query, selection: selection) { return runs }
            return try RowEvaluation(self, query: query, pushed: pushed, selection: selection).runs()
        }
    }

    /// Reads the rows of a query with COPY and unpacks them as they arrive: a libpq result would hold all of them in
    /// memory, and building it takes half of a fetch's time.
    private func copiedRows(_ sql: String, _ selection: PostgresRowSelection) throws -> [RowRun] {
        let row = CopiedRow(width: selection.columns.count)
        var reader = PostgresRowReader(shape, selection, expectedCount: 1)
        // The condition has parameters, which COPY does not take, so it runs before, with another statement.
        if connection.condition != nil, connection.transactionStatus == .idle { _ = try self.query("SELECT 1") }
        // COPY is a single statement, so the statement that begins each transaction is made part of its query.
        let opening = connection.transactionStatus == .idle ? connection.opening : nil
        let query = opening.map { "WITH opencoredata_opening AS (\($0.sql)) SELECT * FROM (\(sql)) opencoredata_rows" }
        do {
            try connection.copyOut("COPY (\(query ?? sql)) TO STDOUT (FORMAT binary)") { bytes in
                try row.read(bytes) { reader.readRow(0, of: row) }
            }
        } catch let error as PostgresError where opening != nil && error.sqlState == "42703" {
            // If the missing column is that of the opening statement, the next statement raises the right error.
            _ = try self.query("SELECT 1")
            throw error
        }
        try row.requireEnd()
        return reader.takeRuns()
    }

    /// Returns the rows of a query with one statement; nil if memory must decide some of them.
    private func rows(_ pushed: PushedQuery, query: FetchQuery, selection: PostgresRowSelection) throws -> [RowRun]? {
        guard let (result, skipped) = try answer(pushed, query, flag: selection.columns.count) else { return nil }
        var reader = PostgresRowReader(shape, selection, expectedCount: result.rowCount)
        return RowRun.dropping(skipped, of: reader.read(result))
    }

    /// Returns the rows of a query and how many of them precede the offset; nil if a row is in doubt.
    private func answer(
        _ pushed: PushedQuery, _ query: FetchQuery, flag: Int
    ) throws -> (rows: PostgresResult, skipped: Int)? {
        if pushed.isWindowed { return (try self.query(pushed.query), 0) }
        guard let flagged = pushed.flagged else { return nil }
        let result = try self.query(flagged)
        guard (0..<result.rowCount).allSatisfy({ result.int64($0, flag) == 1 }) else { return nil }
        return (result, max(0, query.offset))
    }

    /// Returns the addresses of a query's rows; nil if memory must decide some of them by their values.
    private func addresses(_ query: FetchQuery, _ table: RowTable) throws -> AddressList? {
        let pushed = try shape.compiled { try $0.pushed(query, columns: ["Z_PK", "Z_ENT"], schema.types) }
        return try reporting("be read") {
            guard let (result, skipped) = try answer(pushed, query, flag: 2) else { return nil }
            return addresses(of: result, from: skipped, within: table.mapping)
        }
    }

    func count(_ query: FetchQuery) throws -> Int {
        let table = try shape.table(of: query.binding.layout)
        let pushed = try shape.compiled { try $0.pushedCount(query, schema.types) }
        let counted: Int? = try pushed.flatMap { pushed in
            try reporting("be read") {
                let result = try self.query(pushed.query)
                let count = Int(result.int64(0, 0) ?? 0)
                guard !pushed.isExact else { return count }
                guard result.int64(0, 1) == 0 else { return nil }
                let rest = max(0, count - max(0, query.offset))
                return query.limit > 0 ? min(rest, query.limit) : rest
            }
        }
        return try counted ?? rows(query, table).rowCount
    }
}

extension RowRun {
    /// Returns rows without the first `count` ones.
    fileprivate static func dropping(_ count: Int, of runs: [RowRun]) -> [RowRun] {
        var skipped = count
        return runs.compactMap { run in
            let rest = run.range.dropFirst(skipped)
            skipped = max(0, skipped - run.range.count)
            return rest.isEmpty ? nil : RowRun(slab: run.slab, range: rest)
        }
    }
}
