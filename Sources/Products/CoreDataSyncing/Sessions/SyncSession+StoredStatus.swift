import CoreDataGraph
import CoreDataStore
import CoreDataSync

extension SyncSession {
    /// How a store stands with its peers as of its last exchange, without a session and without a change: the store may be open for
    /// reading only.
    ///
    /// - Parameter transport: What carries its items; without one, and where it cannot be reached, the bytes to read are unknown.
    /// - Returns: The status; nil if the store takes no part.
    /// - Throws: Errors of the store, and `SyncError` with the code `damagedState`.
    public static func status(
        of store: NSPersistentStore, over transport: (any SyncTransport)? = nil
    ) throws -> SyncStatus? {
        guard let source = store.objects, let side = source.sideTable, try takesPart(store),
            let coordinator = store.persistentStoreCoordinator
        else { return nil }
        let model = coordinator.managedObjectModel
        let mapping = try ModelMapping(model, coordinator.modelLayout) { store.keeps($0, of: model) }
        // Asked for before the store is held: it may take long.
        let listing = transport.flatMap { try? $0.items() }
        return try store.serialized {
            let storage = StoreStorage(side: side)
            do {
                guard let engine = try SyncEngine.reading(SyncConfiguration(schema: mapping.schema), storage) else {
                    return nil
                }
                let address = try side.sideValue(for: AdapterKey.transport).map { String(decoding: $0, as: UTF8.self) }
                let now = SyncOptions().clock()
                let finder = RowFinder(
                    store: store, source: source, mapping: mapping,
                    largeValues: LargeValueStore(side, .format, now: now))
                let transaction = StoreTransaction(finder, side, engine: engine, now: now)
                return try StatusReader(transaction, engine).status(transport?.title ?? address ?? "", listing)
            } catch let error as FormatError {
                throw SyncError.damaged(error)
            }
        }
    }
}
