import CoreDataStore

/// One state of a store as one fetch of a context reads it, prefetching included: a read transaction of one reader.
///
/// Used on the context's queue, until `end`. Afterwards it stands for the store as it is.
final class HeldState: RowSource {
    let store: NSPersistentStore
    let rowCache: RowCache
    private let start: RowCache.ReadingStart
    /// Nil once the fetch has ended.
    private var reader: (any KeptGeneration)?

    var isOpen: Bool { store.isOpen }

    /// Nil where the store cannot keep a state, or all its readers are in long use: each question is then of a state of its own.
    ///
    /// What is read becomes known to those who read the store, or to the one context that reads replicas of it.
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

    /// A state of a replica; nil where none can be had. What is read of it may throw `ReplicaRefusal`.
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

    /// Releases the reader.
    func end() {
        guard let reader else { return }
        self.reader = nil
        reader.release()
        rowCache.endReading()
    }
}
