import CoreDataStore
import Dispatch
import Synchronization

/// Saves the contexts with `savesOnTermination` when the process is asked to end.
///
/// Invariants:
/// 1. From the first choice of a context on, `sources` watches those signals that would have ended the process.
/// 2. The contexts are saved once, at the first signal or exit.
/// 3. No code waits for `registrations` under the lock or on a queue that the saves need, since a signal may come
///    before all signals are registered.
final class TerminationSaves: @unchecked Sendable {
    static let shared = TerminationSaves()

    private struct Choice {
        weak var context: NSManagedObjectContext?
    }

    private struct State {
        var choices: [Choice] = []
        var sources: [any DispatchSourceSignal] = []
        var limit: TimeInterval = 5
        var isEnding = false
        var watchesProcess = false
    }

    private static let signals = [SIGTERM, SIGINT, SIGHUP]
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "CoreData.termination")
    /// The queue that starts the saves, so that `queue` can meanwhile register the other signals.
    private let ending = DispatchQueue(label: "CoreData.termination.saves")
    private let registrations = DispatchGroup()

    var limit: TimeInterval {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    func includes(_ context: NSManagedObjectContext) -> Bool {
        state.withLock { $0.choices.contains { $0.context === context } }
    }

    func add(_ context: NSManagedObjectContext) {
        let isFirst = state.withLock { state in
            state.choices.removeAll { $0.context == nil || $0.context === context }
            state.choices.append(Choice(context: context))
            guard !state.watchesProcess else { return false }
            state.watchesProcess = true
            registrations.enter()
            return true
        }
        if isFirst {
            atexit { TerminationSaves.shared.save() }
            let sources = Transferred(watchedSignals())
            state.withLock { $0.sources = sources.value }
            registrations.leave()
        }
        // After this, no signal is missed.
        registrations.wait()
    }

    func remove(_ context: NSManagedObjectContext) {
        // The sources remain: when no context is chosen, a signal ends the process at once.
        state.withLock { $0.choices.removeAll { $0.context == nil || $0.context === context } }
    }

    private func watchedSignals() -> [any DispatchSourceSignal] {
        var sources: [any DispatchSourceSignal] = []
        for number in Self.signals {
            // A signal that the program handles or ignores is left unchanged.
            if let former = signal(number, SIG_DFL) {
                signal(number, former)
                continue
            }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [unowned self] in ending.async { self.end(by: number) } }
            registrations.enter()
            source.setRegistrationHandler { [registrations] in
                #if canImport(Darwin)
                    // On other platforms Dispatch replaces the signal's default action itself.
                    signal(number, SIG_IGN)
                #endif
                registrations.leave()
            }
            source.activate()
            sources.append(source)
        }
        return sources
    }

    /// Saves the contexts, then ends the process as the signal would have done.
    private func end(by number: Int32) {
        save()
        signal(number, SIG_DFL)
        // Dispatch blocks signals on its threads.
        var wanted = sigset_t()
        sigemptyset(&wanted)
        sigaddset(&wanted, number)
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
        raise(number)
    }

    /// Saves each chosen context on its queue, and waits for all saves for at most the limit.
    private func save() {
        let (contexts, limit) = state.withLock { state in
            defer { state.isEnding = true }
            return (state.isEnding ? [] : state.choices.compactMap(\.context), state.limit)
        }
        let group = DispatchGroup()
        for context in contexts {
            group.enter()
            let work: @Sendable () -> Void = {
                Self.save(context)
                group.leave()
            }
            if context.queue.isCurrent { work() } else { context.queue.async(work) }
        }
        _ = group.wait(timeout: .now() + limit)
    }

    private static func save(_ context: NSManagedObjectContext) {
        do { if context.hasChanges { try context.save() } } catch { context.report(error, for: nil) }
    }
}
