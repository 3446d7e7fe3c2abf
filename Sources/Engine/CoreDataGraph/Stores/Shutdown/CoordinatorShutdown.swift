import CoreDataStore
import Dispatch
import Synchronization

/// The phase of a coordinator's shutdown, and which contexts may still save.
///
/// | phase | saves | reads | stores are added |
/// |---|---|---|---|
/// | `open` | all | all | yes |
/// | `draining` | of blocks that were queued before | all | no |
/// | `ended` | none | none | no |
///
/// Invariants:
/// 1. Phases follow each other in this order; none is repeated.
/// 2. `draining` has contexts only in the phase `draining`. A context is removed when the block that was queued behind
///    all its former ones has run; a context of the main queue stays, since the main queue may not run any more.
final class CoordinatorShutdown: Sendable {
    private enum Phase { case open, draining, ended }

    private struct State: @unchecked Sendable {
        var phase = Phase.open
        var draining: [ObjectIdentifier: AnyObject] = [:]
        var work: Task<Void, any Error>?
    }

    private let state = Mutex(State())
    /// Whether the phase is no longer `open`; can be read without the lock.
    private let hasBegun = Atomic(false)

    /// Whether shutting down has begun.
    var isBegun: Bool { hasBegun.load(ordering: .acquiring) }

    /// Whether the stores are closed, or are about to be.
    var isEnded: Bool { isBegun && state.withLock { $0.phase == .ended } }

    /// Returns the task that shuts down; the first call starts it.
    func work(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
        state.withLock { state in
            if let work = state.work { return work }
            let work = Task { try await body() }
            state.work = work
            return work
        }
    }

    // MARK: Phases

    /// Begins the phase `draining`: only these contexts can save.
    func beginDraining(_ contexts: [AnyObject]) {
        let contexts = Transferred(contexts)
        state.withLock { state in
            state.phase = .draining
            for context in contexts.value { state.draining[ObjectIdentifier(context)] = context }
        }
        hasBegun.store(true, ordering: .releasing)
    }

    /// Removes a context, which can no longer save, since all blocks that were on its queue have run.
    func finish(_ context: AnyObject) {
        let identifier = ObjectIdentifier(context)
        let finished = state.withLock { Transferred($0.draining.removeValue(forKey: identifier)) }
        // The last reference to a context must not be released while the lock is held.
        _ = finished
    }

    /// Begins the phase `ended`, which refuses all saves and reads; returns the contexts that were not finished.
    func end() -> [AnyObject] {
        let left = state.withLock { state in
            defer { (state.phase, state.draining) = (.ended, [:]) }
            return Transferred(Array(state.draining.values))
        }
        return left.value
    }

    // MARK: Refusals

    /// Throws for a save, unless one of its contexts still has blocks that were queued when shutting down began.
    ///
    /// - Parameter contexts: the context that saves, its ancestors, and those in whose blocks the caller runs;
    ///   evaluated only after shutting down has begun.
    func requireSaving(by contexts: @autoclosure () -> [AnyObject]) throws {
        guard isBegun else { return }
        let identifiers = contexts().map(ObjectIdentifier.init)
        let isPartOfDraining = state.withLock { state in identifiers.contains { state.draining[$0] != nil } }
        guard isPartOfDraining else { throw CoreDataError.shutDown() }
    }

    /// Throws if the stores are closed.
    func requireReading() throws { if isEnded { throw CoreDataError.shutDown() } }

    /// Throws if shutting down has begun: no store can be added.
    func requireOpen() throws { if isBegun { throw CoreDataError.shutDown() } }
}
