import CoreDataModeling
import Dispatch
import Synchronization

/// Saves chosen contexts when the process is asked to end.
///
/// Invariants:
/// 1. `sources` is there for the signals that would have ended the process, once a context was chosen.
/// 2. A process is saved once: the end that comes first counts.
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

    var limit: TimeInterval {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    func includes(_ context: NSManagedObjectContext) -> Bool {
        state.withLock { $0.choices.contains { $0.context === context } }
    }

    func add(_ context: NSManagedObjectContext) {
        state.withLock { state in
            state.choices.removeAll { $0.context == nil || $0.context === context }
            state.choices.append(Choice(context: context))
            guard !state.watchesProcess else { return }
            state.watchesProcess = true
            state.sources = watchedSignals()
            atexit { TerminationSaves.shared.save() }
        }
    }

    func remove(_ context: NSManagedObjectContext) {
        // The sources stay: without a context, a signal ends the process at once.
        state.withLock { $0.choices.removeAll { $0.context == nil || $0.context === context } }
    }

    private func watchedSignals() -> [any DispatchSourceSignal] {
        var sources: [any DispatchSourceSignal] = []
        let registrations = DispatchGroup()
        for number in Self.signals {
            // What the program has decided about a signal stays.
            if let former = signal(number, SIG_DFL) {
                signal(number, former)
                continue
            }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [unowned self] in end(by: number) }
            registrations.enter()
            source.setRegistrationHandler {
                #if canImport(Darwin)
                    // Elsewhere Dispatch takes the signal itself.
                    signal(number, SIG_IGN)
                #endif
                registrations.leave()
            }
            source.activate()
            sources.append(source)
        }
        // From here on no signal is missed.
        registrations.wait()
        return sources
    }

    /// Saves, and ends the process as the signal would have.
    private func end(by number: Int32) {
        save()
        signal(number, SIG_DFL)
        // Dispatch keeps signals from its threads.
        var wanted = sigset_t()
        sigemptyset(&wanted)
        sigaddset(&wanted, number)
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
        raise(number)
    }

    /// Saves each chosen context on its queue, and waits for them as long as it may.
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
