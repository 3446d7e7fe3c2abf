import CoreData
import CoreDataSyncing

extension StoreFileAccess {
    /// Opens the file, and lets its session of sync work with the peers. The thread waits for that.
    ///
    /// - Parameter isForInspection: Whether nothing is merged, so that merge functions of the program are not needed.
    /// - Throws: `InspectionError`, `SyncError`, errors of the store, and `CancellationError`.
    func syncing<Result: Sendable>(
        over transport: any SyncTransport, isForInspection: Bool,
        _ work: @escaping @Sendable (SyncSession, NSPersistentStore) async throws -> Result
    ) throws -> Result {
        let store = try opened(for: .syncing)
        defer { store.close() }
        var options = SyncOptions()
        options.isForInspection = isForInspection
        let session = try SyncSession(store.store, over: transport, options: options)
        let place = store.store
        return try ReadCancellation.waiting { try await work(session, place) }
    }
}

extension BrowserFailure {
    /// An error of sync.
    init(_ error: SyncError) {
        self.init(
            error.code == .unknownItem ? 404 : 409, code: error.code.rawValue,
            reason: error.description.droppingFullStop, hint: error.cure.droppingFullStop)
    }

    /// Runs a block whose `SyncError` is an answer.
    static func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as SyncError { throw BrowserFailure(error) }
    }
}
