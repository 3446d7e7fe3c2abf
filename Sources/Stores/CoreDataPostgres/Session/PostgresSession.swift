import CoreDataSQL
import PostgresKit

/// A connection to a store, and the queries that run on it.
///
/// Used by one thread at a time. The store has one session for itself, which writes; its readers have their own.
final class PostgresSession {
    let shape: PostgresShape
    private let connector: PostgresConnector
    private(set) var connection: PostgresConnection
    /// Whether queries belong to a transaction in progress, and therefore to this connection.
    var isBound = false
    /// The number of cursors so far, which is part of their names.
    var cursorCount = 0
    /// Called after reconnecting; the new connection may break during the call.
    var onReconnecting: () throws -> Void = {}

    init(_ shape: PostgresShape, connection: PostgresConnection, connector: PostgresConnector) {
        self.shape = shape
        self.connection = connection
        self.connector = connector
    }

    /// The maximum time for which a snapshot is retained.
    var greatestAge: Duration { connector.settings.greatestAge }

    var schema: PostgresSchema { shape.schema }

    /// Runs a block and converts errors of the server to errors that say which action failed.
    func reporting<Result>(_ action: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try PostgresShape.reporting(body)
        } catch let error as PostgresError {
            throw PostgresErrors.during(action, error: error, location: shape.location)
        }
    }

    func query(_ sql: String, _ parameters: [PostgresParameter] = []) throws -> PostgresResult {
        try connection.query(sql, parameters)
    }

    func query(_ query: CompiledQuery) throws -> PostgresResult {
        try connection.query(query.sql, query.parameters.map { PostgresParameter($0) })
    }

    /// Runs a block whose queries all see one snapshot of the store.
    ///
    /// Within a transaction in progress, they see what the transaction sees.
    func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
        guard connection.transactionStatus == .idle else { return try body() }
        return try connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") { try body() }
    }

    /// Runs a block with the time limit for connecting as the time limit for its queries.
    func withinTime<Result>(_ body: () throws -> Result) throws -> Result {
        let connection = self.connection
        connection.statementTimeout = connector.settings.connectTimeout
        defer {
            connection.statementTimeout = connector.settings.statementTimeout
            connection.deadline = nil
        }
        return try body()
    }

    /// Replaces a broken connection with another one.
    func reconnect() throws {
        let end = ContinuousClock.now + connector.settings.connectTimeout
        while true {
            connection.close()
            connection = try connector.reconnect()
            do {
                return try onReconnecting()
            } catch {
                guard connection.isBroken, ContinuousClock.now < end else { throw error }
            }
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
