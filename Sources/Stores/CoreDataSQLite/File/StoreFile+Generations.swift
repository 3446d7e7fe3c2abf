import CoreDataSQL
import SQLiteKit

/// A reader that is checked out: a connection of its own. With a write-ahead log it can continue to see the state at the start of
/// its transaction.
extension StoreFile: PoolReader {
    package func holdState(atOnce: Bool) throws {
        try reporting("be read") {
            try connection.begin(.deferred)
            // The transaction begins with its first look at the file.
            if atOnce {
                _ = try connection.value("SELECT count(*) FROM Z_METADATA")
            } else {
                search?.beginTransaction(connection)
            }
        }
    }

    /// Gives the reader back to its pool.
    package func release() {
        guard let ticket else { return close() }
        self.ticket = nil
        ticket.checkIn(self, isSound: !ticket.use.isLong && endState())
    }

    /// Ends the transaction that keeps a state; false where the connection is not to be used again.
    func endState() -> Bool {
        search?.endTransaction()
        guard connection.isInTransaction else { return !isSuspect }
        // A connection that cannot end it is closed.
        try? connection.rollBack()
        return !isSuspect && !connection.isInTransaction
    }

    /// The file's readers, which may be used beside this one.
    package var readers: (any ReaderProviding)? { pool }
}
