import Dispatch
import LockKit
import PeerKit

/// The times of messages that go back and forth.
final class RoundTrips: Sendable {
    private let times: Locked<(last: ContinuousClock.Instant, all: [Double])>
    private let count: Int
    private let done = DispatchSemaphore(value: 0)

    init(_ count: Int) {
        self.count = count
        times = Locked((.now, []))
    }

    func begin() { times.withLock { $0.last = .now } }

    /// Notes an answer; returns whether another one is wanted.
    func next() -> Bool {
        let isWanted = times.withLock { times in
            let now = ContinuousClock.now
            times.all.append((now - times.last) / .seconds(1))
            times.last = now
            return times.all.count < count
        }
        if !isWanted { done.signal() }
        return isWanted
    }

    /// Waits for all answers; the first tenth does not count.
    func median() -> Double {
        done.wait()
        return times.withLock { Measures.median(Array($0.all[(count / 10)...])) }
    }
}
