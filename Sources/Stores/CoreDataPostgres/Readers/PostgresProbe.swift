import CoreDataSQL
import PostgresKit

/// Checks whether the server of a store answers.
final class PostgresProbe: HealthProbing {
    private let pool: ReaderPool
    private let connector: PostgresConnector

    init(_ pool: ReaderPool, _ connector: PostgresConnector) {
        self.pool = pool
        self.connector = connector
    }

    /// Queries the server through a reader of the pool; if the reader's connection is broken, through a new connection.
    ///
    /// - Throws: `NSPersistentStoreTimeoutError` if all readers stay in use, `NSPersistentStoreOperationError` and
    ///   others if the server does not answer.
    func probe(within limit: Duration) throws {
        let end = ContinuousClock.now + limit
        while true {
            switch pool.checkOut(for: ReaderUse(.question), waiting: end - .now) {
            case .reader(let reader):
                defer { reader.release() }
                return try ask(reader, until: end)
            case .exhausted where ContinuousClock.now < end: continue
            case .exhausted: throw exhausted()
            case .unavailable: return try askAgain(until: end)
            case .closed: throw closed()
            }
        }
    }

    private func ask(_ reader: any PooledReader, until end: ContinuousClock.Instant) throws {
        guard let reader = reader as? PostgresReader else { return try reader.holdState(atOnce: true) }
        do {
            try reader.probe()
        } catch {
            guard reader.wasLost else { throw error }
            try askAgain(until: end)
        }
    }

    /// Queries the server through a new connection.
    private func askAgain(until end: ContinuousClock.Instant) throws {
        let location = connector.location
        do {
            let connection = try connector.connect(within: max(end - .now, .milliseconds(100)))
            defer { connection.close() }
            _ = try connection.transaction("BEGIN READ ONLY") { try connection.query("SELECT 1") }
        } catch let error as PostgresError {
            throw PostgresErrors.during("be read", error: error, location: location)
        }
    }

    private func exhausted() -> NSError {
        CoreDataError.make(
            NSPersistentStoreTimeoutError,
            "The store '\(connector.location.publicURL.absoluteString)' cannot be read: all \(pool.readerCount) readers are in "
                + "use by \(pool.holders).",
            hint: "Let go of them, or raise NSPersistentStoreConnectionPoolMaxSizeKey.")
    }

    private func closed() -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError,
            "The store '\(connector.location.publicURL.absoluteString)' is not open.")
    }
}
