import CoreData
import Synchronization

/// A clock that a test sets: its time passes only by `advance(by:)`.
///
/// It is handed to what takes a clock. Of the library that are, for a `let clock = TestClock()`:
///
/// | of | parameter |
/// |---|---|
/// | locations, key-value stores, pictures: `@Sendable () -> Date` | `clock.currentDate` |
/// | `JobClock` | `JobClock(now: clock.elapsed, after: clock.after)` |
/// | `AccountClock` | `AccountClock(now: clock.currentDate, sleep: clock.sleep)` |
/// | a generic `Clock<Duration>` of a program | `clock` |
///
/// May be used from any thread.
public final class TestClock: Clock, Sendable {
    /// A time of the clock: the duration since it was made.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let elapsed: Duration

        /// The instant that is later by a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
        /// The time from this instant to another, negative for an earlier one.
        public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
        public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
    }

    private struct Waiting {
        let number: Int
        let end: Duration
        let wake: @Sendable (Bool) -> Void
    }

    private struct State {
        var elapsed = Duration.zero
        var last = 0
        var waiting: [Waiting] = []
        var cancelled: Set<Int> = []
    }

    private let start: Date
    private let state = Mutex(State())

    /// Makes a clock that shows a date; by itself 1 January 2001, midnight in UTC.
    public init(_ start: Date = Date(timeIntervalSinceReferenceDate: 0)) { self.start = start }

    // MARK: Reading

    /// The date that the clock shows.
    public var date: Date { start.addingTimeInterval(state.withLock { $0.elapsed } / .seconds(1)) }
    /// The date that the clock shows, as a function.
    public var currentDate: @Sendable () -> Date { { self.date } }
    /// The time since the clock was made, as a function.
    public var elapsed: @Sendable () -> Duration { { self.state.withLock { $0.elapsed } } }

    /// The instant that the clock shows, for code that is generic over `Clock`.
    public var now: Instant { Instant(elapsed: state.withLock { $0.elapsed }) }
    /// A nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How many wait for the clock, in `sleep` and `after`.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    // MARK: Setting

    /// Lets time pass, and wakes in the order of their times those who waited for it. What they begin to wait for
    /// within the duration is woken too.
    public func advance(by duration: Duration) {
        let end = state.withLock { $0.elapsed } + duration
        while true {
            let next: Waiting? = state.withLock { state in
                guard
                    let index = state.waiting.indices.min(by: { Self.isBefore(state.waiting[$0], state.waiting[$1]) }),
                    state.waiting[index].end <= end
                else {
                    state.elapsed = max(state.elapsed, end)
                    return nil
                }
                state.elapsed = max(state.elapsed, state.waiting[index].end)
                return state.waiting.remove(at: index)
            }
            guard let next else { return }
            next.wake(true)
        }
    }

    private static func isBefore(_ one: Waiting, _ other: Waiting) -> Bool {
        (one.end, one.number) < (other.end, other.number)
    }

    // MARK: Waiting

    /// Calls a block once, on the thread that lets the time pass, when the duration has passed.
    public var after: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void {
        { duration, block in
            let isOver = self.state.withLock { state in
                guard duration > .zero else { return true }
                state.last += 1
                state.waiting.append(
                    Waiting(number: state.last, end: state.elapsed + duration) { isReached in if isReached { block() } }
                )
                return false
            }
            if isOver { block() }
        }
    }

    /// Waits until the duration has passed; throws `CancellationError` when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void {
        { try await self.sleep(until: self.now.advanced(by: $0), tolerance: nil) }
    }

    /// Waits until the clock shows an instant; throws `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        let isReached = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let answer: Bool? = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return false }
                    if deadline.elapsed <= state.elapsed { return true }
                    state.waiting.append(
                        Waiting(number: number, end: deadline.elapsed) { continuation.resume(returning: $0) })
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiting: Waiting? = state.withLock { state in
                guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.waiting.remove(at: index)
            }
            waiting?.wake(false)
        }
        state.withLock { _ = $0.cancelled.remove(number) }
        guard isReached else { throw CancellationError() }
    }
}
