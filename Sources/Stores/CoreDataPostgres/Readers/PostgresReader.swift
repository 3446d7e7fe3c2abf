import CoreDataSQL
import Dispatch
import PostgresKit
import Synchronization

/// A reader of a store for one thread at a time: a separate connection, which can hold a snapshot of the store.
///
/// A snapshot is a read-only transaction with a savepoint: a failed query is rolled back to the savepoint, so the
/// snapshot survives.
///
/// | state | queries |
/// |---|---|
/// | `none` | see what is committed; run on another connection if this one broke |
/// | `wanted` | begin the transaction; run on another connection if this one broke before it saw anything |
/// | `held` | see the snapshot; fail if the connection broke |
/// | `lost` | fail: the connection broke, or the snapshot was held for too long |
///
/// Invariant: `session` and `state` are accessed only while `lock` is locked, as a timer releases snapshots on its own
/// queue.
final class PostgresReader: SessionReader, PoolReader, @unchecked Sendable {
    private enum State: Equatable {
        case none
        case wanted
        case held
        case lost(reason: String)
    }

    private static let savepoint = "SAVEPOINT opencoredata_state"

    private let session: PostgresSession
    /// The queue on which snapshots that are too old are released.
    private let clock: DispatchQueue
    private let lock = NSRecursiveLock()
    private var state = State.none
    private var heldTicket: ReaderTicket?
    private var aging: DispatchWorkItem?
    /// The names of the snapshot's cursors.
    private var cursors: Set<String> = []
    /// The cursors whose streams were released, on any thread, possibly after the snapshot was released.
    private let abandoned = Mutex<[String]>([])

    init(_ session: PostgresSession, clock: DispatchQueue) {
        self.session = session
        self.clock = clock
    }

    var ticket: ReaderTicket? {
        get { lock.withLock { heldTicket } }
        set { lock.withLock { heldTicket = newValue } }
    }

    var canceller: PostgresCanceller { lock.withLock { session.connection.canceller } }

    /// The number of round trips to the server.
    var roundTrips: Int { lock.withLock { session.connection.roundTrips } }

    /// The number of rows that the server has sent.
    var rowsReceived: Int { lock.withLock { session.connection.rowsReceived } }

    func close() {
        lock.withLock {
            aging?.cancel()
            session.connection.close()
        }
    }

    // MARK: Keeping a state

    func holdState(atOnce: Bool) throws {
        try lock.withLock {
            state = .wanted
            if atOnce { try answering { try $0.reporting("be read") { _ = try session.query("SELECT 1") } } }
        }
    }

    func holdState(of past: PastState) throws {
        throw CoreDataError.make(
            NSPersistentStoreUnsupportedRequestTypeError,
            "The store '\(session.shape.location.publicURL.absoluteString)' cannot be read as it was: it keeps no past states.",
            hint: "Read it as it is.")
    }

    func release() {
        lock.lock()
        aging?.cancel()
        aging = nil
        let isSound = endState()
        let ticket = heldTicket
        heldTicket = nil
        lock.unlock()
        ticket?.checkIn(self, isSound: isSound)
    }

    /// Ends the transaction of a snapshot; returns false if the connection must not be used again.
    private func endState() -> Bool {
        defer {
            state = .none
            session.isBound = false
            cursors = []
        }
        if case .lost = state { return false }
        if session.connection.transactionStatus != .idle { _ = try? session.query("ROLLBACK") }
        return session.connection.transactionStatus == .idle
    }

    private func begin() throws {
        try session.answering {
            _ = try session.reporting("be read") {
                try session.connection.pipeline([
                    PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
                    // The first query takes the snapshot; it runs before the savepoint, so that a rollback does not
                    // undo it.
                    PostgresStatement("SELECT 1"), PostgresStatement(Self.savepoint),
                ])
            }
        }
        state = .held
        session.isBound = true
        let giveUp = DispatchWorkItem { [weak self] in self?.giveUp() }
        aging = giveUp
        clock.asyncAfter(deadline: .now() + session.greatestAge / .seconds(1), execute: giveUp)
    }

    private func giveUp() {
        // The timer does not wait for a running query; it tries again later.
        guard lock.try() else {
            return clock.asyncAfter(deadline: .now() + 0.1) { [weak self] in self?.giveUp() }
        }
        defer { lock.unlock() }
        guard state == .held else { return }
        let age = (session.greatestAge / .seconds(1)).formatted(.number.precision(.fractionLength(0...2)))
        state = .lost(reason: "the state that is read was kept for more than \(age) s, after which it is given up")
        session.connection.close()
    }

    // MARK: Asking

    /// Sends a query to the server on the existing connection.
    func probe() throws {
        try lock.withLock {
            try session.reporting("be read") {
                try session.connection.transaction("BEGIN READ ONLY") { _ = try session.query("SELECT 1") }
            }
        }
    }

    /// Whether the connection broke unexpectedly, rather than being closed because an answer took too long.
    var wasLost: Bool { lock.withLock { session.wasLost } }

    var rowStreaming: (any RowStreaming)? { self }

    var interruption: (@Sendable () -> Void)? {
        let canceller = self.canceller
        return { canceller.cancel() }
    }

    /// Runs a query in the snapshot, if one is held.
    func answering<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
        try lock.withLock {
            if case .none = state { return try session.answering { try body(session) } }
            let isFirst = state == .wanted
            do {
                return try answeringOfState(body)
            } catch {
                guard isFirst, session.wasLost, ReadCancellation.current?.isCancelled != true else { throw error }
                // Nothing has been read from the lost snapshot, so another one can replace it.
                (state, session.isBound) = (.wanted, false)
                return try answeringOfState(body)
            }
        }
    }

    private func answeringOfState<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
        if state == .wanted { try begin() }
        if case .lost(let reason) = state { throw lost(reason, nil) }
        do {
            try closeAbandoned()
            return try body(session)
        } catch {
            guard session.connection.isBroken else {
                if session.connection.transactionStatus == .failed {
                    _ = try? session.query("ROLLBACK TO \(Self.savepoint)")
                }
                throw error
            }
            let reason = "the connection that kept the state which is read broke"
            state = .lost(reason: reason)
            throw lost(reason, error)
        }
    }

    private func closeAbandoned() throws {
        let names = abandoned.withLock { names in
            defer { names = [] }
            return names.filter { cursors.remove($0) != nil }
        }
        guard !names.isEmpty else { return }
        _ = try session.connection.pipeline(names.map { PostgresStatement("CLOSE \($0)") })
    }

    private func lost(_ reason: String, _ error: (any Error)?) -> NSError {
        CoreDataError.make(
            NSPersistentStoreTimeoutError,
            "The store '\(session.shape.location.publicURL.absoluteString)' cannot be read: \(reason).", reason: reason,
            hint: "Pin the context again with setQueryGenerationFrom(.current), or begin to read anew.",
            underlying: error.map { $0 as NSError })
    }

    // MARK: Cursors

    /// Begins to hold a snapshot if there is none, since a cursor needs a transaction.
    func holdStateForCursor() { lock.withLock { if state == .none { state = .wanted } } }

    /// Moves the savepoint behind the cursor's declaration, so that the rollback of a failed query does not close the
    /// cursor.
    func keep(_ cursor: RowCursor) throws {
        cursors.insert(cursor.name)
        _ = try session.connection.pipeline([
            PostgresStatement("RELEASE \(Self.savepoint)"), PostgresStatement(Self.savepoint),
        ])
    }

    /// Records that a cursor is no longer needed; called from any thread.
    func abandon(_ name: String) { abandoned.withLock { $0.append(name) } }
}
