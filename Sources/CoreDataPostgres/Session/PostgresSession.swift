import CoreDataSQL
import PostgresKit

/// One connection to a store, and what is asked of the store through it.
///
/// One thread at a time. The store has one for itself, which writes; its readers are others.
final class PostgresSession {
    let shape: PostgresShape
    let connection: PostgresConnection

    init(_ shape: PostgresShape, _ connection: PostgresConnection) {
        self.shape = shape
        self.connection = connection
    }

    var schema: PostgresSchema { shape.schema }

    /// Runs a block whose errors of the server are to say what was being done.
    func reporting<Result>(_ action: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try PostgresShape.reporting(body)
        } catch let error as PostgresError {
            throw PostgresErrors.during(action, error, shape.location)
        }
    }

    func query(_ sql: String, _ parameters: [PostgresParameter] = []) throws -> PostgresResult {
        try connection.query(sql, parameters)
    }

    func query(_ query: CompiledQuery) throws -> PostgresResult {
        try connection.query(query.sql, query.parameters.map { PostgresParameter($0) })
    }

    /// Runs a block whose questions are all answered of one state of the store.
    ///
    /// Within a transaction they are answered of what it sees.
    func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
        guard connection.transactionStatus == .idle else { return try body() }
        _ = try query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        do {
            let result = try body()
            _ = try query("COMMIT")
            return result
        } catch {
            // The first error is the telling one.
            if connection.transactionStatus != .idle { _ = try? query("ROLLBACK") }
            throw error
        }
    }
}

extension PostgresParameter {
    init(_ parameter: SQLParameter) {
        self =
            switch parameter {
            case .null: .null(oid: PostgresType.int8)
            case .integer(let integer): .integer(integer)
            case .real(let real): .real(real)
            case .text(let text): .text(text)
            case .blob(let data): .bytes([UInt8](data))
            }
    }
}
