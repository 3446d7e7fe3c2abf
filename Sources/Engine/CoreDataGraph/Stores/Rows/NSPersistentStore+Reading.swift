import CSwiftRuntime
import CoreDataStore

extension NSPersistentStore: RowSource {
    /// What a query selects, read beside other threads; nil once the store is closed.
    package final func fetched(_ query: FetchQuery) throws -> FetchedRows? {
        try reading { try $0.reader.fetch(query) }
    }

    /// Reads with the store itself as long as one thread at a time wants it, and beside the thread that has it with one of
    /// the store's readers.
    ///
    /// A thread that holds the store (`serialized`) reads with it too, and so never waits for a reader: a thread that waits for
    /// the store while he has a reader waits for a thread that will release it.
    package final func reading<Result>(_ body: (Reading) throws -> Result) throws -> Result? {
        guard let readers = objects?.readers else { return try access.withLockForReading { try readingHere(body) } }
        if access.take(mayBeFree: !access.isContended) {
            defer { access.leave() }
            return try readingHere(body)
        }
        let wait = ReaderWait(for: ReaderUse(.question), in: self)
        switch try wait.checkOut(from: readers, orElse: { _ in access.take() }) {
        case .reader(let reader):
            defer { reader.release() }
            return try Reading.run(reader, cache: rowCache, body: body)
        case .unavailable: return try access.withLockForReading { try readingHere(body) }
        case .closed: return nil
        case .exhausted:
            defer { access.leave() }
            return try readingHere(body)
        }
    }

    private func readingHere<Result>(_ body: (Reading) throws -> Result) throws -> Result? {
        guard let objects else { return nil }
        return try Reading.run(objects, cache: rowCache, body: body)
    }

    /// The rows as they are now, until they are released; nil where the store, as it was opened, cannot keep them.
    ///
    /// What it gives is used by one thread at a time, beside the store. With `past` it is another state than that of now.
    /// `isUnwanted` is called while waiting for a reader.
    /// - Throws: `NSPersistentStoreTimeoutError` when all readers are in use for too long, 3072 when the reader is not wanted any more.
    final func keptState(
        for use: ReaderUse, of past: PastState? = nil, unless isUnwanted: () -> Bool = { false }
    ) throws -> (any KeptGeneration)? {
        guard let readers = objects?.readers, readers.keepsStates else { return nil }
        let wait = ReaderWait(for: use, in: self)
        // A long use waits for its reader; a fetch can use the store itself.
        let checkout = try wait.checkOut(from: readers, unless: isUnwanted, orElse: { $0 && !use.isLong })
        guard case .reader(let reader) = checkout else { return nil }
        do {
            if let past { try reader.holdState(of: past) } else { try reader.holdState(atOnce: use.isLong) }
            return reader
        } catch {
            reader.release()
            throw error
        }
    }
}

/// A thread's wait for a reader of a store.
struct ReaderWait {
    /// How long a thread waits before it looks for a substitute.
    private static let slice = Duration.milliseconds(20)

    private let use: ReaderUse
    private let store: NSPersistentStore

    init(for use: ReaderUse, in store: NSPersistentStore) {
        self.use = use
        self.store = store
    }

    /// A reader, or the reason that none is available: `exhausted` means that `other` has found a substitute.
    ///
    /// `other` is called with whether all readers are in long use.
    /// - Throws: `NSPersistentStoreTimeoutError` when all readers are in use for too long, 3072 once `isUnwanted`, `CancellationError`
    ///   where no caller waits for the answers any more.
    func checkOut(
        from readers: any ReaderProviding, unless isUnwanted: () -> Bool = { false },
        orElse other: (Bool) -> Bool = { _ in false }
    ) throws -> ReaderCheckout {
        let begin = ContinuousClock.now
        let start = coredata_instruments_start()
        var waiting = Duration.zero
        defer { if start != 0, waiting > .zero { recordWait(since: start) } }
        while true {
            let checkout = readers.checkOut(for: use, waiting: waiting)
            guard case .exhausted(let onlyByLongUses) = checkout else { return checkout }
            // Readers of a single query are returned soon: the store is not taken from a writer.
            if onlyByLongUses || waiting > .zero, other(onlyByLongUses) { return checkout }
            if isUnwanted() { throw CocoaError(.userCancelled) }
            if ReadCancellation.current?.isCancelled == true { throw CancellationError() }
            guard ContinuousClock.now - begin < readers.patience else { throw exhausted(readers) }
            waiting = Self.slice
        }
    }

    private func recordWait(since start: UInt64) {
        var event = InstrumentEvent(.wait, since: start)
        event.store = store.instrumentName
        event.detail = use.kind.rawValue
        event.model = store.persistentStoreCoordinator?.managedObjectModel
        InstrumentRecorder.record(event)
    }

    private func exhausted(_ readers: any ReaderProviding) -> NSError {
        let reason = "All of its \(readers.readerCount) readers are in use: \(readers.holders)."
        return CoreDataError.make(
            NSPersistentStoreTimeoutError,
            "The store '\(store.url?.path ?? "")' cannot be read for \(use.kind.rawValue). \(reason)", reason: reason,
            hint:
                "Let go of streamed results and query generations, or raise NSPersistentStoreConnectionPoolMaxSizeKey.",
            userInfo: store.url.map { [NSFilePathErrorKey: $0.path] } ?? [:])
    }
}
