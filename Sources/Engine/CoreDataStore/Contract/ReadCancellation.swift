import CoreDataModeling
import Dispatch
import Synchronization

/// Cancels, from any thread, the reads that another thread performs.
///
/// The reading thread makes it the `current` one; each read that then runs by `reading` registers how it is
/// interrupted.
///
/// Invariants:
/// 1. `interrupt` is set only while the reading thread has the reader that `interrupt` interrupts.
/// 2. After `cancel()` no further read begins.
package final class ReadCancellation: Sendable {
    /// The interval at which `cancel()` interrupts a read again that still runs: a query that had not yet begun ignores
    /// an interruption.
    private static let pause = DispatchTimeInterval.milliseconds(10)
    /// Runs the repeated interruptions. The global queues have few threads, which the reads to be canceled may occupy
    /// entirely.
    private static let clock = DispatchQueue(label: "CoreData.ReadCancellation")

    /// The cancellation of the running task or thread; nil if its reads cannot be canceled.
    @TaskLocal package static var current: ReadCancellation?

    private struct State {
        var isCancelled = false
        var interrupt: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Makes the running read fail soon, and every later read fail at once.
    package func cancel() {
        let isReading = state.withLock { state in
            state.isCancelled = true
            state.interrupt?()
            return state.interrupt != nil
        }
        if isReading { Self.clock.asyncAfter(deadline: .now() + Self.pause) { self.cancel() } }
    }

    /// Runs one read, which `interrupt` makes fail; `interrupt` is nil for a reader that cannot be interrupted.
    ///
    /// - Throws: `CancellationError` once canceled, and what `body` throws.
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

    /// Runs a block and cancels its reads after a time; returns nil if they were canceled for that reason.
    ///
    /// - Throws: `CancellationError` if the enclosing `current` cancellation was canceled, and what `body` throws.
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
