import CoreDataSync

extension SyncSession {
    /// How the store stands with its peers, after saves were captured.
    ///
    /// - Throws: `SyncError` with the code `notJoined` if it takes no part, and errors of the store.
    public func status() async throws -> SyncStatus {
        try await reading { transaction, session in
            guard let meta = transaction.engine?.meta else { throw SyncError.notJoined }
            let listing = try? session.place.items()
            return try StatusReader(side: transaction.side, meta: meta).status(session.place.title, listing)
        }
    }
}
