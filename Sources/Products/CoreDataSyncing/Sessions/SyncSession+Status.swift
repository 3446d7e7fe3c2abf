extension SyncSession {
    /// How the store stands with its peers. A session that has exchanged captures the saves first; otherwise the status counts what is
    /// pending.
    ///
    /// - Throws: `SyncError` with the code `notJoined` if it takes no part, and errors of the store.
    public func status() async throws -> SyncStatus {
        try await reading { transaction, session in
            guard let engine = transaction.engine else { throw SyncError.notJoined }
            let listing = try? session.place.items()
            return try StatusReader(transaction, engine).status(session.place.title, listing)
        }
    }
}
