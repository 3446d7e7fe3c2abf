import CSQLite

extension Connection {
    /// When a transaction acquires its lock.
    package enum TransactionKind: String, Sendable {
        /// With the first read or write: a read transaction sees one state of the file.
        case deferred = "BEGIN DEFERRED"
        /// The write lock at the beginning; other connections can still read.
        case immediate = "BEGIN IMMEDIATE"
        /// The write lock at the beginning; unless in WAL mode, other connections cannot read either.
        case exclusive = "BEGIN EXCLUSIVE"
    }

    /// Runs a body in a transaction: commits when it returns, rolls back when it or the commit throws.
    package func transaction<Result>(
        _ kind: TransactionKind = .immediate, _ body: () throws -> Result
    ) throws -> Result {
        try begin(kind)
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollBackKeepingError()
            throw error
        }
    }

    /// Runs a body within a savepoint, and undoes only its changes when it throws; works with or without a transaction.
    package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("SAVEPOINT part")
        do {
            let result = try body()
            try execute("RELEASE part")
            return result
        } catch {
            // An error such as a full disk may have rolled back the entire transaction; the first error is thrown.
            try? execute("ROLLBACK TO part")
            try? execute("RELEASE part")
            throw error
        }
    }

    package func begin(_ kind: TransactionKind) throws(SQLiteError) { try execute(kind.rawValue) }

    package func commit() throws(SQLiteError) { try execute("COMMIT") }

    /// Rolls back the transaction; does nothing if SQLite has already done so.
    package func rollBack() throws(SQLiteError) {
        guard isInTransaction else { return }
        try execute("ROLLBACK")
    }

    // The original error is thrown. If the rollback fails, the journal stays, and the next connection rolls back with
    // it.
    private func rollBackKeepingError() { try? rollBack() }
}
