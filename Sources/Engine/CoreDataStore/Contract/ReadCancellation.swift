import CoreDataModeling
import Dispatch
import Synchronization

/// Cancels, from any thread, the reads of another thread.
///
/// The reading thread makes it the `current` one; each turn of reading (`reading`) then sets how it is interrupted.
///
/// Invariants:
/// 1. `interrupt` is set only while the thread that reads has the reader which it interrupts.
/// 2. Once cancelled, no further turn of reading begins.
package final class ReadCancellation: Sendable {
    /// How often a turn that continues after it was interrupted is interrupted again: a query that had not begun does not notice.
    private static let pause = DispatchTimeInterval.milliseconds(10)
    /// Runs later interruptions: the threads of the global queues are few, and the reads to be cancelled may occupy them all.
    private static let clock = DispatchQueue(label: "CoreData.ReadCancellation")

    /// The one of what runs now; nil where reading is never given up.
    @TaskLocal package static var current: ReadCancellation?

    private struct State {
        var isCancelled = false
        var interrupt: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Makes the present turn of reading fail soon, and all later ones at once.
    package func cancel() {
        let isReading = state.withLock { state in
            state.isCancelled = true
            state.interrupt?()
            return state.interrupt != nil
        }
        if isReading { Self.clock.asyncAfter(deadline: .now() + Self.pause) { self.cancel() } }
    }

    /// Runs one turn of reading, which `interrupt` makes fail; nil for a reader that cannot be interrupted.
    ///
    /// - Throws: `CancellationError` once cancelled, and what `body` throws.
    package func reading<Result>(
        with interrupt: (@Sendable () -> Void)?, _ body: () throws -> Result
    ) throws -> Result {
        let outer = try state.withLock { state in
            guard !state.isCancelled else { throw CancellationError() }
            let outer = state.interrupt
            state.interrupt = interrupt ?? outer
            return outer
        }
        defer { state.withLock { $0.interrupt = outer } }
        do {
            return try body()
        } catch {
            throw isCancelled ? CancellationError() : error
        }
    }

    /// Runs a block whose reading is given up after a time; nil where it was.
    ///
    /// - Throws: `CancellationError` where the reading around it is cancelled, and what `body` throws.
    package static func limited<Result>(to time: Duration, _ body: () throws -> Result) throws -> Result? {
        let (outer, inner) = (current, ReadCancellation())
        let interrupt: @Sendable () -> Void = { inner.cancel() }
        let end = DispatchWorkItem(block: interrupt)
        clock.asyncAfter(deadline: .now() + time / .seconds(1), execute: end)
        defer { end.cancel() }
        if time <= .zero { inner.cancel() }
        do {
            guard let outer else { return try $current.withValue(inner, operation: body) }
            return try outer.reading(with: interrupt) { try $current.withValue(inner, operation: body) }
        } catch is CancellationError where outer?.isCancelled != true {
            return nil
        }
    }
}
