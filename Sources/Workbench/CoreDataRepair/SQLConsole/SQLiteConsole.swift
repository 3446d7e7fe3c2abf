import CoreData
import SQLiteKit

/// Asks a store in SQLite, and changes no byte of it.
///
/// It has a connection of its own, which is opened for one question and closed behind it, so that it holds no state of the
/// log. What statements may do is in `SQLReadingPolicy`, how much they may take in `SQLBounds`. For one thread.
package final class SQLiteConsole: SQLConsole {
    private let store: RawStore
    private let policy = SQLReadingPolicy()
    private let model: NSManagedObjectModel?
    private let configuration: String?

    /// - Parameter model: names columns; nil where it is not at hand.
    /// - Throws: `NSPersistentStoreOpenError` or 259 for what is not a store in SQLite.
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
        // The names are read by statements of ours.
        store.connection.authorize(nil)
        defer { store.connection.authorize { [policy] in policy.allows($0) } }
        return try SQLNames(store, model: model, configuration: configuration)
    }

    /// The names of a statement's parameters; bare ones are `?1`, `?2`.
    ///
    /// - Throws: `SQLConsoleError`.
    package func parameters(of sql: String) throws -> [String] {
        let statement = try prepare(sql)
        return Self.parameters(of: statement).map(\.name)
    }

    /// Carries a statement out, up to the limits.
    ///
    /// - Throws: `SQLConsoleError`, and what goes wrong with the file; `CancellationError` where no caller waits any more.
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

    /// Runs a block; what SQLite has against the statement is said as an error of the console, the rest of the file.
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

    /// The numbers of the parameters with their names; an unused number does not have a name.
    private static func parameters(of statement: Statement) -> [(index: Int, name: String)] {
        (0..<statement.parameterCount).map { ($0 + 1, statement.parameterName($0 + 1) ?? "?\($0 + 1)") }
    }

    /// Binds values to the parameters; returns their texts.
    private func bind(_ question: SQLQuery, to statement: Statement) throws -> [(name: String, text: String)] {
        try Self.parameters(of: statement).map { index, name in
            let text = try question.requiredText(for: name)
            let value = try SQLParameterValue.required(text, for: name)
            try explaining(question.sql) { () throws(SQLiteError) in try statement.bind(value, at: index) }
            return (name, text)
        }
    }
}
