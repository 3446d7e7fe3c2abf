import CoreDataSQL
import PostgresKit

/// One connection to a store, and what is asked of the store through it.
///
/// One thread at a time. The store has one for itself, which writes; its readers are others.
final class PostgresSession {
    let shape: PostgresShape
    private let connector: PostgresConnector
    private(set) var connection: PostgresConnection
    /// Whether what is asked belongs to a transaction that has begun, and so to this connection.
    var isBound = false
    /// How many cursors there have been, by which they are named.
    var cursorCount = 0
    /// Called when there is another connection, which may break meanwhile.
    var onReconnecting: () throws -> Void = {}

    init(_ shape: PostgresShape, connection: PostgresConnection, connector: PostgresConnector) {
        self.shape = shape
        self.connection = connection
        self.connector = connector
    }

    /// How long a state is kept.
    var greatestAge: Duration { connector.settings.greatestAge }

    var schema: PostgresSchema { shape.schema }

    /// Runs a block whose errors of the server are to say what was being done.
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

    /// Runs a block whose questions are all answered of one state of the store.
    ///
    /// Within a transaction they are answered of what it sees.
    func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
        guard connection.transactionStatus == .idle else { return try body() }
        return try connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") { try body() }
    }

    /// Runs a block whose questions are answered as fast as a server is connected to, or fail.
    func withinTime<Result>(_ body: () throws -> Result) throws -> Result {
        let connection = self.connection
        connection.statementTimeout = connector.settings.connectTimeout
        defer {
            connection.statementTimeout = connector.settings.statementTimeout
            connection.deadline = nil
        }
        return try body()
    }

    /// Takes another connection in place of one that broke.
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
