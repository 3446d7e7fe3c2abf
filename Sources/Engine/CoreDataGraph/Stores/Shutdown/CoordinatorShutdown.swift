import CoreDataStore
import Dispatch
import Synchronization

/// How far the shutting down of a coordinator is, and who may still save.
///
/// | phase | saves | reads | stores are added |
/// |---|---|---|---|
/// | `open` | all | all | yes |
/// | `draining` | of blocks that were there when it began | all | no |
/// | `ended` | none | none | no |
///
/// Invariants:
/// 1. Phases follow each other in this order and never go back.
/// 2. `waited` and `draining` have contexts in the phase `draining` alone, and each is there until the block behind all its former ones
///    has run. Contexts of the main queue are in `draining` alone, since whether the main queue is served is not known.
final class CoordinatorShutdown: Sendable {
    private enum Phase { case open, draining, ended }

    private struct State: @unchecked Sendable {
        var phase = Phase.open
        var draining: [ObjectIdentifier: AnyObject] = [:]
        var work: Task<Void, any Error>?
    }

    private let state = Mutex(State())
    /// Whether the phase is no longer `open`, for callers that need no more.
    private let hasBegun = Atomic(false)

    /// Whether shutting down has begun.
    var isBegun: Bool { hasBegun.load(ordering: .acquiring) }

    /// Whether the stores are closed, or are about to be.
    var isEnded: Bool { isBegun && state.withLock { $0.phase == .ended } }

    /// The work of shutting down, which begins with the first call.
    func work(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
        state.withLock { state in
            if let work = state.work { return work }
            let work = Task { try await body() }
            state.work = work
            return work
        }
    }

    // MARK: Phases

    /// From here on only these contexts save.
    func beginDraining(_ contexts: [AnyObject]) {
        let contexts = Transferred(contexts)
        state.withLock { state in
            state.phase = .draining
            for context in contexts.value { state.draining[ObjectIdentifier(context)] = context }
        }
        hasBegun.store(true, ordering: .releasing)
    }

    /// Has a context save no more: what was on its queue has run.
    func finish(_ context: AnyObject) {
        let identifier = ObjectIdentifier(context)
        let finished = state.withLock { Transferred($0.draining.removeValue(forKey: identifier)) }
        // The last reference to a context must not be released while the lock is held.
        _ = finished
    }

    /// Refuses all saves and reads from here on; returns the contexts that were not done.
    func end() -> [AnyObject] {
        let left = state.withLock { state in
            defer { (state.phase, state.draining) = (.ended, [:]) }
            return Transferred(Array(state.draining.values))
        }
        return left.value
    }

    // MARK: Refusals

    /// Refuses a save, unless one of its contexts still has blocks that were queued when shutting down began.
    ///
    /// - Parameter contexts: the context that saves, its ancestors, and those in whose blocks the caller runs; evaluated
    ///   only once shutting down has begun.
    func requireSaving(by contexts: @autoclosure () -> [AnyObject]) throws {
        guard isBegun else { return }
        let identifiers = contexts().map(ObjectIdentifier.init)
        let isPartOfDraining = state.withLock { state in identifiers.contains { state.draining[$0] != nil } }
        guard isPartOfDraining else { throw CoreDataError.shutDown() }
    }

    /// Refuses reading once the stores are closed.
    func requireReading() throws { if isEnded { throw CoreDataError.shutDown() } }

    /// Refuses another store.
    func requireOpen() throws { if isBegun { throw CoreDataError.shutDown() } }
}
