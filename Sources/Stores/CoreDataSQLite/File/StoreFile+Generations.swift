import CoreDataSQL
import SQLiteKit

/// A reader of the pool: a separate connection. With a write-ahead log it sees the state at the beginning of its
/// transaction until the transaction ends.
extension StoreFile: PoolReader {
    package func holdState(atOnce: Bool) throws {
        try reporting("be read") {
            try connection.begin(.deferred)
            // A deferred transaction gets its snapshot with its first read.
            if atOnce {
                _ = try connection.value("SELECT count(*) FROM Z_METADATA")
            } else {
                search?.beginTransaction(connection)
            }
        }
    }

    /// Returns the reader to its pool.
    package func release() {
        guard let ticket else { return close() }
        self.ticket = nil
        ticket.checkIn(self, isSound: !ticket.use.isLong && endState())
    }

    /// Ends the read transaction; returns false if the connection must not be used again.
    func endState() -> Bool {
        search?.endTransaction()
        guard connection.isInTransaction else { return !isSuspect }
        // If the transaction cannot be ended, the caller closes the connection.
        try? connection.rollBack()
        return !isSuspect && !connection.isInTransaction
    }

    /// The pool of the file's other connections for reading.
    package var readers: (any ReaderProviding)? { pool }
}
