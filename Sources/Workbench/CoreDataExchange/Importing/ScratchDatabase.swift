import CoreData
import SQLiteKit

/// A database for data that does not fit into memory: a file in the temporary folder, unlinked once it is open.
///
/// It is removed with its last reference, also when the process is killed.
final class ScratchDatabase {
    private let connection: Connection
    private var statements: [String: Statement] = [:]

    init(_ script: String) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
        connection = try Self.translating { try Connection.open(url.path, OpenOptions(mode: .create)) }
        defer { unlink(url.path) }
        try Self.translating {
            // Without a journal the one file is all there is, and it may lose its name.
            try connection.executeScript(
                """
                PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
                PRAGMA cache_size = -32768; PRAGMA temp_store = FILE;
                \(script)
                """)
            try connection.begin(.immediate)
        }
    }

    deinit {
        statements = [:]
        connection.close()
    }

    /// Runs a statement for its effect.
    func run(_ sql: String, _ values: Value...) throws {
        try Self.translating {
            let statement = try prepared(sql)
            try statement.bind(values)
            try statement.run()
        }
    }

    /// Runs a statement for its effect; false where it changed nothing.
    func change(_ sql: String, _ values: Value...) throws -> Bool {
        try Self.translating {
            let statement = try prepared(sql)
            try statement.bind(values)
            try statement.run()
            return connection.changes > 0
        }
    }

    /// Runs a statement to its first row, if it has one, and gives what is made of that.
    func first<Result>(_ sql: String, _ values: Value..., row: (Statement) throws -> Result) throws -> Result? {
        try first(sql, values, row: row)
    }

    func first<Result>(_ sql: String, _ values: [Value], row: (Statement) throws -> Result) throws -> Result? {
        try Self.translating {
            let statement = try prepared(sql)
            try statement.bind(values)
            defer { statement.reset() }
            return try statement.step() ? try row(statement) : nil
        }
    }

    /// Hands out the rows of a statement one by one.
    func forEach(_ sql: String, _ values: Value..., row: (Statement) throws -> Void) throws {
        try forEach(sql, values, row: row)
    }

    func forEach(_ sql: String, _ values: [Value], row: (Statement) throws -> Void) throws {
        try Self.translating {
            let statement = try prepared(sql)
            try statement.bind(values)
            defer { statement.reset() }
            while try statement.step() { try row(statement) }
        }
    }

    private func prepared(_ sql: String) throws -> Statement {
        if let known = statements[sql] { return known }
        let statement = try connection.prepare(sql)
        statements[sql] = statement
        return statement
    }

    private static func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw InspectionError(
                .unreadable, subject: FileManager.default.temporaryDirectory.path,
                cause: "what is remembered there of the objects cannot be written or read: \(error.message)",
                hint: "make room, or name another folder in TMPDIR")
        }
    }
}
