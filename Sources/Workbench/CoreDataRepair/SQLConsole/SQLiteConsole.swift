import CoreData
import SQLiteKit

/// Runs SQL statements on an SQLite store, without changing its file.
///
/// The console opens a connection of its own for reading. Callers create a console for each statement and release it
/// after that, so that no old snapshot keeps the log from being checkpointed. `SQLReadingPolicy` has the actions that
/// statements may perform, `SQLBounds` their limits. To be used by one thread at a time.
package final class SQLiteConsole: SQLConsole {
    private let store: RawStore
    private let policy = SQLReadingPolicy()
    private let model: NSManagedObjectModel?
    private let configuration: String?

    /// - Parameter model: the source of the columns' meanings; nil if no model is available.
    /// - Throws: `NSPersistentStoreOpenError` or `NSFileReadCorruptFileError` (259) for a file that is not an SQLite
    ///   store.
    package init(storeAt url: URL, model: NSManagedObjectModel?, configuration: String?) throws {
        store = try RawStore(at: url)
        self.model = model
        self.configuration = configuration
        try store.registerFunctions()
        try store.reading {
            let connection = store.connection
            try connection.setPragma("query_only", to: .integer(1))
            try connection.setPragma("temp_store", to: .text("file"))
            try connection.configure(.trustedSchema, false)
            try connection.configure(.triggers, false)
            for (limit, value) in SQLBounds.limits { connection.setLimit(limit, to: value) }
        }
        store.connection.authorize { [policy] in policy.allows($0) }
    }

    deinit { store.connection.authorize(nil) }

    /// The store's tables and columns.
    package func names() throws -> SQLNames {
        // The library's own statements read the names; the policy does not apply to them.
        store.connection.authorize(nil)
        defer { store.connection.authorize { [policy] in policy.allows($0) } }
        return try SQLNames(store, model: model, configuration: configuration)
    }

    /// The names of a statement's parameters; those without a name, written `?`, are `?1`, `?2` by their numbers.
    ///
    /// - Throws: `SQLConsoleError`.
    package func parameters(of sql: String) throws -> [String] {
        let statement = try prepare(sql)
        return Self.parameters(of: statement).map(\.name)
    }

    /// Runs a statement and returns its rows, up to the limits of the query.
    ///
    /// - Throws: `SQLConsoleError` for a bad or refused statement, errors of the file, and `CancellationError` if the
    ///   current `ReadCancellation` is cancelled.
    package func answer(_ question: SQLQuery) throws -> SQLAnswer {
        let names = try names()
        var answer: SQLAnswer?
        let begin = ContinuousClock.now
        let ended: Void? = try ReadCancellation.limited(to: question.time) {
            guard let cancellation = ReadCancellation.current else { return }
            try cancellation.reading(with: store.connection.interruption) {
                let statement = try prepare(question.sql)
                var found = SQLAnswer(
                    sql: question.sql, parameters: try bind(question, to: statement),
                    columns: Self.columns(of: statement, names))
                defer { answer = found }
                try fill(&found, from: statement, upTo: question.limit)
            }
        }
        if ended == nil { answer?.stop = .time }
        guard let answer else {
            let time = begin.duration(to: .now) / .seconds(1)
            throw SQLConsoleError(
                .badSQL, "the statement was not understood within \((time * 10).rounded() / 10) seconds",
                hint: "make it simpler", in: question.sql)
        }
        return answer
    }

    private func fill(_ answer: inout SQLAnswer, from statement: Statement, upTo limit: Int) throws {
        let columns = 0..<statement.columnCount
        var size = 0
        while try stepping(statement) {
            guard answer.rows.count < limit else {
                answer.stop = .rows
                return
            }
            let row = columns.map { SQLCell(statement, $0) }
            size += row.reduce(0) { $0 + $1.size }
            guard size <= SQLQuery.mostBytes else {
                answer.stop = .size
                return
            }
            answer.rows.append(row)
        }
    }

    // MARK: Statements

    private func prepare(_ sql: String) throws -> Statement {
        let statement = try explaining(sql) { () throws(SQLiteError) in try store.connection.prepareSingle(sql) }
        guard statement.isReadOnly || policy.asksSetting, statement.columnCount > 0 else {
            throw SQLConsoleError(.refusedSQL, "the statement gives no rows", hint: Self.onlyReads, in: sql)
        }
        store.connection.setLimit(.valueLength, to: SQLBounds.valueLength(policy, sql))
        return statement
    }

    private func stepping(_ statement: Statement) throws -> Bool {
        try explaining(statement.sql) { () throws(SQLiteError) in try statement.step() }
    }

    static let onlyReads = "the console only reads; objects are changed by forms and by 'coredata set'"

    /// Runs a block. Throws SQLite's errors about the statement as `SQLConsoleError`, others as errors of the store's
    /// file.
    private func explaining<Result>(_ sql: String, _ body: () throws(SQLiteError) -> Result) throws -> Result {
        do throws(SQLiteError) {
            return try body()
        } catch {
            if let refusal = policy.refusal, error.code.primary != .interrupted {
                throw SQLConsoleError(
                    .refusedSQL, "the statement would \(refusal)", hint: Self.onlyReads, in: sql, at: error.offset)
            }
            switch error.code.primary {
            case .error, .misuse, .range, .mismatch, .notAuthorized, .readOnly:
                throw SQLConsoleError(.badSQL, error.message, in: sql, at: error.offset)
            case .tooBig, .outOfMemory:
                let hint =
                    "values of the statement may have \(SQLBounds.valueLength(policy, sql)) bytes; 'length' prints more"
                throw SQLConsoleError(.badSQL, error.message, hint: hint, in: sql, at: error.offset)
            default: return try store.reading { throw error }
            }
        }
    }

    private static func columns(of statement: Statement, _ names: SQLNames) -> [SQLAnswer.Column] {
        (0..<statement.columnCount).map { index in
            let origin = statement.origin(index)
            return SQLAnswer.Column(
                name: statement.columnName(index), table: origin?.table, column: origin?.column,
                meaning: origin.flatMap { names.meaning($0.table, $0.column) })
        }
    }

    // MARK: Parameters

    /// The numbers of the parameters with their names; a parameter without a name is named by its number, such as `?1`.
    private static func parameters(of statement: Statement) -> [(index: Int, name: String)] {
        (0..<statement.parameterCount).map { ($0 + 1, statement.parameterName($0 + 1) ?? "?\($0 + 1)") }
    }

    /// Binds the values of the query to the parameters; returns the parameters' names and texts.
    private func bind(_ question: SQLQuery, to statement: Statement) throws -> [(name: String, text: String)] {
        try Self.parameters(of: statement).map { index, name in
            let text = try question.requiredText(for: name)
            let value = try SQLParameterValue.required(text, for: name)
            try explaining(question.sql) { () throws(SQLiteError) in try statement.bind(value, at: index) }
            return (name, text)
        }
    }
}
