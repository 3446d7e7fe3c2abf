import CSwiftRuntime
import CoreDataStore

extension NSPersistentStore: RowSource {
    /// Executes a query, concurrently with other threads; nil if the store is closed.
    package final func fetched(_ query: FetchQuery) throws -> FetchedRows? {
        try reading { try $0.reader.fetch(query) }
    }

    /// Runs a block that reads: with the store itself if no other thread uses it and none ever has at the same time,
    /// otherwise with one of the store's readers.
    ///
    /// A thread that has locked the store (`serialized`) also reads with the store itself, and so never waits for a
    /// reader. Otherwise it could wait for a reader of a thread that waits for the store.
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

    /// Returns a reader that keeps the present state of the store until it is released; nil if the store, as it was
    /// opened, cannot keep states.
    ///
    /// The reader is used by one thread at a time, concurrently with the store. `past` requests another state than the
    /// present one. `isUnwanted` is called while waiting for a reader.
    /// - Throws: `NSPersistentStoreTimeoutError` if all readers are in use for too long, 3072 once `isUnwanted`.
    final func keptState(
        for use: ReaderUse, of past: PastState? = nil, unless isUnwanted: () -> Bool = { false }
    ) throws -> (any KeptGeneration)? {
        guard let readers = objects?.readers, readers.keepsStates else { return nil }
        let wait = ReaderWait(for: use, in: self)
        // A long use must wait for a reader; a fetch can use the store itself instead.
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

/// Waits for a reader of a store.
struct ReaderWait {
    /// How long a thread waits before it tries another way to read.
    private static let slice = Duration.milliseconds(20)

    private let use: ReaderUse
    private let store: NSPersistentStore

    init(for use: ReaderUse, in store: NSPersistentStore) {
        self.use = use
        self.store = store
    }

    /// Returns a reader, or the reason that none is available: `exhausted` if `other` has found another way to read.
    ///
    /// The argument of `other` is whether all readers are in long use.
    /// - Throws: `NSPersistentStoreTimeoutError` if all readers are in use for too long, 3072 when `isUnwanted` is
    ///   true, `CancellationError` if the read was cancelled.
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
            // Readers in use for a single query are returned soon, so the first wait does not try to use the store,
            // which a writer may need.
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
