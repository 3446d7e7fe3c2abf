import CoreDataGraph
import CoreDataStore
import CoreDataSync

extension SyncSession {
    /// How a store stands with its peers as of its last exchange, without a session and without a change: the store may be open for
    /// reading only.
    ///
    /// - Parameter transport: What carries its items; without one, and where it cannot be reached, the bytes to read are unknown.
    /// - Returns: The status, which says whether there are saves that no exchange has captured; nil if the store takes no part.
    /// - Throws: Errors of the store, and `SyncError` with the code `damagedState`.
    public static func status(
        of store: NSPersistentStore, over transport: (any SyncTransport)? = nil
    ) throws -> SyncStatus? {
        guard let source = store.objects, let side = source.sideTable, try takesPart(store) else { return nil }
        // Asked for before the store is held: it may take long.
        let listing = transport.flatMap { try? $0.items() }
        return try store.serialized {
            do {
                let configuration = SyncConfiguration(schema: try schema(of: store))
                guard let engine = try SyncEngine.reading(configuration, StoreStorage(side: side)) else { return nil }
                let address = try side.sideValue(for: AdapterKey.transport).map { String(decoding: $0, as: UTF8.self) }
                return try StatusReader(side: side, engine: engine).status(
                    transport?.title ?? address ?? "", listing, hasUnsentSaves: hasUnsentSaves(source, side))
            } catch let error as FormatError {
                throw SyncError.damaged(error)
            }
        }
    }

    private static func schema(of store: NSPersistentStore) throws -> SyncSchema {
        guard let coordinator = store.persistentStoreCoordinator else { throw SyncError.unsuitable }
        let model = coordinator.managedObjectModel
        return try ModelMapping(model, coordinator.modelLayout) { store.keeps($0, of: model) }.schema
    }

    /// Whether the history has a transaction of others than peers after the last one that was captured.
    static func hasUnsentSaves(_ source: any ObjectStore, _ side: any SideTableKeeping) throws -> Bool {
        guard let history = source.history, let bytes = try side.sideValue(for: AdapterKey.captured), bytes.count == 8
        else { return false }
        let captured = Int64(bitPattern: IdentityMap.number(bytes[...]))
        let newest = try history.historyExtent().newest
        guard newest > captured else { return false }
        var isFound = false
        try history.readHistory(HistoryQuery(after: .number(captured), through: newest)) { transaction in
            if transaction.author != LocalChangeReader.author { isFound = true }
            return isFound ? .end : .next
        } change: { _ in }
        return isFound
    }
}
