import CoreDataStore
import Dispatch
import Synchronization

/// Checks whether a store can be used, and returns in time even if the store does not answer.
///
/// The probe may hang on a disk or a server. It runs on its own queue, so that it does not block tasks or contexts.
/// Another probe does not begin before the last one has finished: later callers wait for that, each up to its limit.
final class StoreHealthCheck: Sendable {
    private static let clock = DispatchQueue(label: "CoreData.health.clock")
    private let queue = DispatchQueue(label: "CoreData.health")

    /// - Parameter probe: queries the store; throws the reason if it does not answer.
    func run(within limit: Duration, _ probe: @escaping @Sendable () throws -> Void) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            let answer = Answer(continuation)
            let end = Transferred(DispatchWorkItem { answer.give(Self.late(limit)) })
            Self.clock.asyncAfter(deadline: .now() + max(limit, .zero) / .seconds(1), execute: end.value)
            queue.async {
                guard answer.isAwaited else { return }
                do {
                    try probe()
                    answer.give(nil)
                } catch {
                    answer.give(error)
                }
                end.value.cancel()
            }
        }
    }

    private static func late(_ limit: Duration) -> NSError {
        let seconds = (limit / .seconds(1)).formatted(.number.precision(.fractionLength(0...3)))
        return CoreDataError.make(
            NSPersistentStoreTimeoutError, "The store did not answer within \(seconds) s.",
            hint: "See whether its disk or server works and can be reached.")
    }

    /// Returns the first of several answers to the waiting caller, and ignores the others.
    private final class Answer: Sendable {
        private let waiting: Mutex<CheckedContinuation<(any Error)?, Never>?>

        init(_ continuation: CheckedContinuation<(any Error)?, Never>) { waiting = Mutex(continuation) }

        var isAwaited: Bool { waiting.withLock { $0 != nil } }

        func give(_ error: (any Error)?) { waiting.withLock { $0.take() }?.resume(returning: error) }
    }
}
