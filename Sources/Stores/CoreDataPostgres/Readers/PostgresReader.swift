import CoreDataSQL
import Dispatch
import PostgresKit
import Synchronization

/// A reader of a store that one thread has at a time: a connection of its own, which can retain a state of the store.
///
/// A state is a read-only transaction with a savepoint: a query that fails is rolled back to the savepoint, so the state stays.
///
/// | state | queries |
/// |---|---|
/// | `none` | see what is committed; run on another connection if this one broke |
/// | `wanted` | begin the transaction; run on another connection if this one broke before it saw anything |
/// | `held` | see the state; fail if the connection broke |
/// | `lost` | fail: the connection broke, or the state was retained for too long |
///
/// Invariant: `session` and `state` are used only while `lock` is held, since states are given up on a queue of their own.
final class PostgresReader: SessionReader, PoolReader, @unchecked Sendable {
    private enum State: Equatable {
        case none
        case wanted
        case held
        case lost(reason: String)
    }

    private static let savepoint = "SAVEPOINT opencoredata_state"

    private let session: PostgresSession
    /// The queue on which states that are too old are given up.
    private let clock: DispatchQueue
    private let lock = NSRecursiveLock()
    private var state = State.none
    private var heldTicket: ReaderTicket?
    private var aging: DispatchWorkItem?
    /// The cursors of the state, by their names.
    private var cursors: Set<String> = []
    /// Cursors whose streams were released, on whichever thread, also after the state was.
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

    /// How often an answer of the server was waited for.
    var roundTrips: Int { lock.withLock { session.connection.roundTrips } }

    /// How many rows the server has sent.
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

    /// Ends the transaction that keeps a state; false where the connection is not to be used again.
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
                    // The first question takes the snapshot, which must not go with the savepoint.
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
        // The timer neither blocks a thread that runs a query nor waits for it.
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

    /// Asks the server once on the connection that there is.
    func probe() throws {
        try lock.withLock {
            try session.reporting("be read") {
                try session.connection.transaction("BEGIN READ ONLY") { _ = try session.query("SELECT 1") }
            }
        }
    }

    /// Whether the connection broke unexpectedly.
    var wasLost: Bool { lock.withLock { session.wasLost } }

    var rowStreaming: (any RowStreaming)? { self }

    var interruption: (@Sendable () -> Void)? {
        let canceller = self.canceller
        return { canceller.cancel() }
    }

    /// Runs a query within the state, if one is retained.
    func answering<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
        try lock.withLock {
            if case .none = state { return try session.answering { try body(session) } }
            let isFirst = state == .wanted
            do {
                return try answeringOfState(body)
            } catch {
                guard isFirst, session.wasLost, ReadCancellation.current?.isCancelled != true else { throw error }
                // Nothing has been seen of the state that went with the connection.
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

    /// Keeps a state for a cursor, which lives in one.
    func holdStateForCursor() { lock.withLock { if state == .none { state = .wanted } } }

    /// Has what fails later go back to here, so that a cursor outlives it.
    func keep(_ cursor: RowCursor) throws {
        cursors.insert(cursor.name)
        _ = try session.connection.pipeline([
            PostgresStatement("RELEASE \(Self.savepoint)"), PostgresStatement(Self.savepoint),
        ])
    }

    /// Notes that a cursor is not needed any more; from any thread.
    func abandon(_ name: String) { abandoned.withLock { $0.append(name) } }
}
