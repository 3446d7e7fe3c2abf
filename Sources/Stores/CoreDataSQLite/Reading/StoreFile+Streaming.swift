import CoreDataSQL
import SQLiteKit

extension StoreFile: RowStreaming {
    package var rowStreaming: (any RowStreaming)? { self }

    package func stream(_ query: FetchQuery) throws -> any RowStream {
        let mapping = try mapping(of: query.binding.layout)
        let selection = SQLiteRowSelection(plans(of: mapping, withDescendants: query.includesSubentities))
        let compiled = try compiled { try $0.select(query, columns: selection.columns) }
        return try reporting("be read") {
            StatementRows(file: self, statement: try prepare(compiled), selection: selection)
        }
    }
}

/// The rows of a statement, which each call continues to execute.
private final class StatementRows: RowStream {
    private let file: StoreFile
    private let selection: SQLiteRowSelection
    private let interrupter: Interrupter
    /// Nil after the statement's end.
    private var statement: Statement?
    private var bound = RowBound()

    init(file: StoreFile, statement: Statement, selection: SQLiteRowSelection) {
        self.file = file
        self.statement = statement
        self.selection = selection
        interrupter = file.connection.interrupter
    }

    func next(_ count: Int) throws -> [RowRun] {
        while let statement {
            let runs = try read(statement, atMost: count)
            if !runs.isEmpty { return runs }
        }
        return []
    }

    func interrupt() { interrupter.interrupt() }

    private func read(_ statement: Statement, atMost count: Int) throws -> [RowRun] {
        try file.reporting("be read") {
            var reader = SQLiteRowReader(file: file, selection: selection, expectedCount: count)
            let isAtEnd = try reader.read(statement, atMost: count, bound: &bound)
            if isAtEnd { self.statement = nil }
            return reader.takeRuns()
        }
    }
}
