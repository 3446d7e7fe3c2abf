import CoreDataStore

/// Reads the records of a query from one store over a longer time, in the state of the beginning if the store can keep
/// that.
///
/// | the store | how |
/// |---|---|
/// | of a pinned context | a running statement in the pinned snapshot |
/// | can keep a snapshot | a running statement in a snapshot of its own, with a separate reader |
/// | cannot keep one in the way it was opened | first the addresses, then the rows by keys, in their later state |
/// | has its rows in memory | its rows, which are immutable |
///
/// May be used on any thread.
struct SnapshotReading {
    let store: NSPersistentStore
    let source: any RowSource
    /// The name of the reading context, for reports of waits for a reader.
    let owner: String?
    let running: RunningSources

    func records(_ query: FetchQuery) throws -> any RecordSource {
        // Other readings may use a pinned snapshot too, and must not be interrupted.
        if source !== store, let pinned = try stream(query, at: source) {
            return RunningRecords(pinned, source: source, store: store, interruption: {})
        }
        let kept = try store.keptState(for: ReaderUse(.stream, of: owner), unless: { running.isInterrupted })
        guard let kept else { return try unkept(query) }
        let generation = StoreGeneration(kept, of: store, rootCount: store.rowCache.rootCount)
        guard let own = try stream(query, at: generation) else { return HeldRecords([]) }
        return RunningRecords(own, source: generation, store: store, interruption: own.interrupt)
    }

    private func unkept(_ query: FetchQuery) throws -> any RecordSource {
        let found = try store.reading { reading in
            // Rows in memory are immutable, so they need not be read later.
            let isStream = reading.reader is any RowStreaming
            return reading.published(try reading.reader.fetch(isStream ? query.ofPlaces : query))
        }
        return switch found {
        case .rows(let runs): HeldRecords([.rows(runs)])
        case .addresses(let places): KeyedRecords(places, store)
        case nil: HeldRecords([])
        }
    }

    private func stream(_ query: FetchQuery, at source: any RowSource) throws -> (any RowStream)? {
        try source.reading { try $0.reader.rowStreaming?.stream(query) } ?? nil
    }
}

/// The rows of a running statement.
private final class RunningRecords: RecordSource, @unchecked Sendable {
    private let stream: any RowStream
    private let source: any RowSource
    /// Retained, since the rows refer to the store's bindings.
    private let store: NSPersistentStore

    private let interruption: () -> Void

    init(
        _ stream: any RowStream, source: any RowSource, store: NSPersistentStore,
        interruption: @escaping () -> Void
    ) {
        self.interruption = interruption
        self.stream = stream
        self.source = source
        self.store = store
    }

    func next(_ count: Int) throws -> RecordPiece {
        guard let runs = try source.reading({ _ in try stream.next(count) }) else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The store was removed from its coordinator while it was being read.")
        }
        return .rows(runs)
    }

    func interrupt() { interruption() }
}

/// Records whose rows are read by their keys in pieces, in their state at that time; without records that no longer
/// exist.
private final class KeyedRecords: RecordSource {
    private let list: AddressList
    private let store: NSPersistentStore
    private var position = 0

    init(_ list: AddressList, _ store: NSPersistentStore) {
        self.list = list
        self.store = store
    }

    func next(_ count: Int) throws -> RecordPiece {
        while position < list.count {
            let range = position..<position + min(count, RecordStream.recordsAtOnce, list.count - position)
            position = range.upperBound
            let records = try records(list.addresses(range))
            if !records.isEmpty { return .records(records) }
        }
        return .records([])
    }

    func interrupt() {}

    private func records(_ addresses: [RowAddress]) throws -> [FoundRecord] {
        guard let first = addresses.first else { return [] }
        let root = first.binding.layout.entity.rootEntity
        let binding = first.binding.layout.model.layout(of: root).map(store.binding(for:)) ?? first.binding
        let found = try store.storedRows(binding, keys: addresses.map(\.key))
        let rows = Dictionary(found.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return addresses.compactMap { address in rows[address.key].map { FoundRecord(address, row: $0) } }
    }
}

extension FetchQuery {
    /// The same query, for addresses only.
    fileprivate var ofPlaces: FetchQuery {
        FetchQuery(
            binding: binding, includesSubentities: includesSubentities, predicate: predicate,
            sortDescriptors: sortDescriptors, limit: limit, offset: offset, includesValues: false)
    }
}
