import CoreDataStore

/// One state of a store as one fetch of a context reads it, prefetching included: a read transaction of one reader.
///
/// Used on the context's queue, until `end`. Afterwards it stands for the store as it is.
final class HeldState: RowSource {
    let store: NSPersistentStore
    private let start: RowCache.ReadingStart
    /// Nil once the fetch has ended.
    private var reader: (any KeptGeneration)?

    var rowCache: RowCache { store.rowCache }
    var isOpen: Bool { store.isOpen }

    /// Nil where the store cannot keep a state, or all its readers are in long use: each question is then of a state of its own.
    init?(of store: NSPersistentStore, for use: ReaderUse) throws {
        guard store.objects?.readers?.keepsStates == true else { return nil }
        start = store.rowCache.beginReading()
        self.store = store
        do {
            reader = try store.keptState(for: use)
        } catch {
            store.rowCache.endReading()
            throw error
        }
        if reader == nil {
            store.rowCache.endReading()
            return nil
        }
    }

    deinit { end() }

    func reading<Result>(_ body: (Reading) throws -> Result) throws -> Result? {
        guard let reader else { return try store.reading(body) }
        guard isOpen else { return nil }
        return try Reading.run(reader, rowCache) { try body($0.since(start)) }
    }

    /// Lets go of the reader.
    func end() {
        guard let reader else { return }
        self.reader = nil
        reader.release()
        rowCache.endReading()
    }
}
