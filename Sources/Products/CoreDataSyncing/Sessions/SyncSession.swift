import CoreDataGraph
import CoreDataSync
import Dispatch
import Foundation
import Synchronization

/// Keeps a store in step with its peers over a transport.
///
/// Exchanges run one after the other on the session's own queue. What peers changed arrives as the changes of another process do: contexts
/// that merge changes by themselves show it, and `NSPersistentStoreRemoteChange` is posted where the store's options ask for that.
/// Persistent history should be on; without it every exchange compares all rows.
///
/// ```swift
/// import CoreDataSyncing
///
/// let session = try await container.sync(over: FolderTransport(url))
/// try await session.exchange()
/// print(try await session.status().isInSync)
/// ```
public final class SyncSession: Sendable {
    /// How a store that took no part begins.
    public enum Beginning: Sendable {
        /// As the first of its peers: its objects are what the others get.
        case founding
        /// Waits for the state of the peers, and merges its own objects with that.
        case joining
    }

    private let queue = DispatchQueue(label: "OpenCoreData.SyncSession")
    /// Used on the queue only.
    nonisolated(unsafe) let store: SyncedStore
    private let transport: any SyncTransport
    let options: SyncOptions
    private let running = Mutex<(any DispatchSourceTimer)?>(nil)
    private let isScheduled = Mutex(false)

    /// Makes a session; nothing is read or written yet.
    ///
    /// - Throws: `SyncError` if the store or the model cannot be synced.
    public init(_ store: NSPersistentStore, over transport: any SyncTransport, options: SyncOptions = SyncOptions())
        throws
    {
        self.store = try SyncedStore(store, options)
        self.transport = transport
        self.options = options
    }

    deinit { running.withLock { $0?.cancel() } }

    // MARK: Joining

    /// Makes the store take part, and exchanges.
    ///
    /// - Parameter beginning: How it begins; nil to join if the transport has items, and to found otherwise.
    /// - Throws: `SyncError` with the code `alreadyJoined` if it takes part, with `damagedState` if it took part before, lost its state and
    ///   `beginning` is nil, and what ``exchange(comparing:)`` throws.
    public func join(_ beginning: Beginning? = nil) async throws {
        try await perform { session in
            if beginning == nil { try session.store.checkForLostState() }
            let isFounding = try beginning.map { $0 == .founding } ?? session.transport.items().isEmpty
            try session.store.transaction(.making(isFounding ? .founding : .joining)) { transaction in
                transaction.note(AdapterKey.transport, session.transport.address.map { Array($0.utf8) })
            }
            // Where the transport cannot be reached the status says so, and the next exchange goes on.
            _ = try? session.exchangeNow()
        }
    }

    /// Whether the store takes part.
    public func hasJoined() async throws -> Bool {
        try await perform { session in
            do {
                try session.store.transaction { _ in }
                return true
            } catch let error as SyncError where error.code == .notJoined {
                return false
            }
        }
    }

    // MARK: Exchanging

    /// Captures what was saved here, applies what peers wrote, and writes what they lack.
    ///
    /// - Parameter comparing: Whether all rows are compared with what was last known, for edits that bypassed the history.
    /// - Throws: `SyncError`, and errors of the store. Nothing is lost then: the next exchange goes on.
    @discardableResult public func exchange(comparing: Bool = false) async throws -> SyncSummary {
        try await perform { try $0.exchangeNow(comparing: comparing) }
    }

    @discardableResult func exchangeNow(comparing: Bool = false, _ tidiness: Tidiness = .usual) throws -> SyncSummary {
        do {
            try store.checkFunctions()
            var exchange = Exchange(store, transport, tidiness)
            let summary = try exchange.run(comparing: comparing)
            try note(summary.refusalByProgram.map { SyncError.refusedByProgram($0) })
            return summary
        } catch {
            try? note(error)
            throw error
        }
    }

    /// Keeps the last error, which the status shows; nil after an exchange that succeeded.
    private func note(_ error: (any Error)?) throws {
        if let error = error as? SyncError, error.code == .notJoined { return }
        try store.transaction { transaction in
            let present = try transaction.side.sideValue(for: AdapterKey.failure)
            guard error != nil || present != nil else { return }
            let failure = try error.map { try JSONEncoder().encode(SyncFailure($0, at: transaction.now)) }
            transaction.note(AdapterKey.failure, failure.map { Array($0) })
        }
    }

    // MARK: Running

    /// Exchanges from now on whenever something may have changed, until ``stop()``.
    public func start() {
        running.withLock { current in
            current?.cancel()
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: max(0.1, options.interval))
            timer.setEventHandler { [weak self] in _ = try? self?.exchangeNow() }
            timer.activate()
            current = timer
        }
        _ = transport.watch { [weak self] in self?.schedule() }
    }

    /// Ends what ``start()`` began; an exchange that runs is finished.
    public func stop() {
        _ = transport.watch(nil)
        running.withLock { current in
            current?.cancel()
            current = nil
        }
    }

    /// Waits for the exchange that runs. Not for the session's own queue.
    func finishExchange() { queue.sync {} }

    /// Exchanges soon; several calls in quick succession make one exchange.
    private func schedule() {
        let isNew = isScheduled.withLock { isScheduled in
            defer { isScheduled = true }
            return !isScheduled
        }
        guard isNew else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in
            guard let self else { return }
            isScheduled.withLock { $0 = false }
            guard running.withLock({ $0 != nil }) else { return }
            _ = try? exchangeNow()
        }
    }

    // MARK: Peers

    /// Lets a peer take part no longer: nothing waits for it, and what it still writes is refused.
    ///
    /// - Parameter peer: The 16 digits of its identity.
    /// - Throws: `SyncError` with the code `unknownItem` if there is no such peer.
    public func forget(_ peer: String) async throws {
        try await perform { session in
            try session.store.transaction { transaction in
                guard let id = PeerID(peer), let meta = transaction.engine?.meta, meta.members[id] != nil,
                    id != meta.identity
                else { throw SyncError.unknownPeer(peer) }
                try transaction.handle(.retire(id, at: transaction.now))
            }
            _ = try session.exchangeNow()
        }
    }

    /// Runs a block on the session's queue.
    func perform<Result: Sendable>(_ body: @escaping @Sendable (SyncSession) throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: .init { try body(self) }) }
        }
    }

    /// Runs a block in a transaction of the store.
    func reading<Result: Sendable>(
        _ body: @escaping @Sendable (StoreTransaction, SyncSession) throws -> Result
    ) async throws -> Result {
        try await perform { session in try session.store.transaction { try body($0, session) } }
    }

    /// Constant, so that it may be read on any thread.
    var mapping: ModelMapping { store.mapping }
    var persistentStore: NSPersistentStore { store.store }
    var place: any SyncTransport { transport }
}

extension NSPersistentContainer {
    /// Makes the container's store take part in sync, unless it does already, and begins to exchange.
    ///
    /// - Parameters:
    ///   - transport: What carries items to the peers.
    ///   - beginning: How a store that took no part begins; nil to join if the transport has items, and to found otherwise.
    /// - Returns: A running session; call `stop()` to end it.
    /// - Throws: `SyncError`, and errors of the store.
    public func sync(
        over transport: any SyncTransport, beginning: SyncSession.Beginning? = nil, options: SyncOptions = SyncOptions()
    ) async throws -> SyncSession {
        guard let store = persistentStoreCoordinator.persistentStores.first else {
            throw SyncError(.unsuitableStore, "The container has no store.", cure: "Load its stores first.")
        }
        let session = try SyncSession(store, over: transport, options: options)
        if try await !session.hasJoined() { try await session.join(beginning) }
        session.start()
        return session
    }
}

extension SyncSession {
    /// Whether a store takes part in sync, which may be open for reading only.
    ///
    /// - Throws: Errors of the store.
    public static func takesPart(_ store: NSPersistentStore) throws -> Bool {
        guard let side = store.objects?.sideTable else { return false }
        return try store.serialized { try side.sideValue(for: SyncEngine.metaKey) != nil }
    }

    /// The address of the transport with which the store joined; nil if it took no part or the transport has none.
    ///
    /// - Throws: Errors of the store.
    public static func address(of store: NSPersistentStore) throws -> String? {
        guard let side = store.objects?.sideTable else { return nil }
        return try store.serialized {
            try side.sideValue(for: AdapterKey.transport).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
