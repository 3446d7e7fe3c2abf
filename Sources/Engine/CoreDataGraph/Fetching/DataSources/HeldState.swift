import CoreDataStore

/// The state of a store that all queries of one fetch read, prefetching included: a read transaction of one reader.
///
/// Used on the context's queue. After `end`, readings read the current state of the store.
final class HeldState: RowSource {
    let store: NSPersistentStore
    let rowCache: RowCache
    private let start: RowCache.ReadingStart
    /// Nil after `end`.
    private var reader: (any KeptGeneration)?

    var isOpen: Bool { store.isOpen }

    /// Nil if the store cannot keep a state, or all its readers are in long use; each query then has a state of its
    /// own.
    ///
    /// Rows that are read go to the row cache of the store, or to that of `replicas`, which one context uses.
    init?(of store: NSPersistentStore, for use: ReaderUse, beside replicas: ReplicaRows?) throws {
        guard store.objects?.readers?.keepsStates == true else { return nil }
        rowCache = replicas?.rowCache ?? store.rowCache
        start = rowCache.beginReading()
        self.store = store
        do {
            reader = try store.keptState(for: use)
        } catch {
            rowCache.endReading()
            throw error
        }
        if reader == nil {
            rowCache.endReading()
            return nil
        }
    }

    /// A state of a replica; nil if the store must be read instead. Reading the state may throw `ReplicaRefusal`.
    init?(of replicas: ReplicaRows) throws {
        guard let reader = replicas.checkOut() else { return nil }
        store = replicas.store
        rowCache = replicas.rowCache
        start = rowCache.beginReading()
        self.reader = reader
        try reader.holdState(atOnce: false)
    }

    deinit { end() }

    func reading<Result>(_ body: (Reading) throws -> Result) throws -> Result? {
        guard let reader else { return try store.reading(body) }
        guard isOpen else { return nil }
        return try Reading.run(reader, cache: rowCache) { try body($0.since(start)) }
    }

    /// Releases the reader, and so ends the read transaction.
    func end() {
        guard let reader else { return }
        self.reader = nil
        reader.release()
        rowCache.endReading()
    }
}
