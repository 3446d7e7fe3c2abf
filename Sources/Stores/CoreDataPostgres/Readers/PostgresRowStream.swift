import CoreDataSQL
import PostgresKit

extension PostgresReader: RowStreaming {
    /// Streams the rows of a query: with a cursor if the server decides the query completely; otherwise all rows are
    /// found first.
    func stream(_ query: FetchQuery) throws -> any RowStream {
        holdStateForCursor()
        return try answering { session in
            let table = try session.shape.table(of: query.binding.layout)
            let selection = session.shape.selection(of: table.mapping, withDescendants: query.includesSubentities)
            let pushed = try session.shape.compiled {
                try $0.pushed(query, columns: selection.columns, session.schema.types)
            }
            return try session.reporting("be read") {
                guard pushed.isWindowed else {
                    return FoundRows(
                        try RowEvaluation(session, query: query, pushed: pushed, selection: selection).runs())
                }
                let cursor = try RowCursor(pushed.query, session)
                try keep(cursor)
                return CursorRows(cursor, selection: selection, reader: self)
            }
        }
    }
}

/// The rows of a cursor; at most the requested number of rows is in memory.
private final class CursorRows: RowStream, @unchecked Sendable {
    private let reader: PostgresReader
    private let selection: PostgresRowSelection
    private let canceller: PostgresCanceller
    private var cursor: RowCursor

    init(_ cursor: RowCursor, selection: PostgresRowSelection, reader: PostgresReader) {
        self.cursor = cursor
        self.selection = selection
        self.reader = reader
        canceller = reader.canceller
    }

    deinit { reader.abandon(cursor.name) }

    func next(_ count: Int) throws -> [RowRun] {
        try reader.answering { session in
            try session.reporting("be read") {
                // A piece may contain only rows of unknown entities, which are skipped.
                while let result = try cursor.next(max(1, count)) {
                    var reader = PostgresRowReader(session.shape, selection, expectedCount: result.rowCount)
                    let runs = reader.read(result)
                    if !runs.isEmpty { return runs }
                }
                return []
            }
        }
    }

    func interrupt() { canceller.cancel() }
}

/// Rows that have already been found.
private final class FoundRows: RowStream {
    private var runs: ArraySlice<RowRun>

    init(_ runs: [RowRun]) { self.runs = runs[...] }

    func next(_ count: Int) throws -> [RowRun] {
        var missing = max(1, count)
        var taken: [RowRun] = []
        while missing > 0, let run = runs.popFirst() {
            let part = run.range.prefix(missing)
            taken.append(RowRun(slab: run.slab, range: part))
            missing -= part.count
            if part.count < run.range.count {
                runs = [RowRun(slab: run.slab, range: part.upperBound..<run.range.upperBound)] + runs
            }
        }
        return taken
    }

    func interrupt() {}
}
