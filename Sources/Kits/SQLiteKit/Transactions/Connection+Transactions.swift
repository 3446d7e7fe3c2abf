import CSQLite

extension Connection {
    /// How early a transaction takes its lock.
    package enum TransactionKind: String, Sendable {
        /// At the first read or write: a read transaction that sees one state of the file.
        case deferred = "BEGIN DEFERRED"
        /// The write lock at once; readers go on.
        case immediate = "BEGIN IMMEDIATE"
        /// The write lock at once; outside WAL readers wait too.
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

    /// Runs a body whose changes alone are undone when it throws; within or without a transaction.
    package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("SAVEPOINT part")
        do {
            let result = try body()
            try execute("RELEASE part")
            return result
        } catch {
            // A full disk may have ended the entire transaction, savepoint included; the first error is the relevant one.
            try? execute("ROLLBACK TO part")
            try? execute("RELEASE part")
            throw error
        }
    }

    package func begin(_ kind: TransactionKind) throws(SQLiteError) { try execute(kind.rawValue) }

    package func commit() throws(SQLiteError) { try execute("COMMIT") }

    /// Rolls back; does nothing where SQLite has already done so.
    package func rollBack() throws(SQLiteError) {
        guard isInTransaction else { return }
        try execute("ROLLBACK")
    }

    // The error that led here is the one to report; a failed rollback leaves the journal, which the next open plays back.
    private func rollBackKeepingError() { try? rollBack() }
}
