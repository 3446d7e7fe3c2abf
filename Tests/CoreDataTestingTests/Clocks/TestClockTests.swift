import CoreDataTesting
import Synchronization
import TestBasics
import Testing

@Suite struct TestClockTests {
    @Test("time passes by advance alone, for dates and durations (TEST-03)")
    func timePassesByAdvanceAlone() {
        let clock = TestClock(Date(timeIntervalSinceReferenceDate: 1_000))
        #expect(clock.date == clock.currentDate() && clock.elapsed() == .zero)
        clock.advance(by: .seconds(90))
        #expect(clock.date == Date(timeIntervalSinceReferenceDate: 1_090))
        #expect(clock.elapsed() == .seconds(90))
        #expect(clock.now.elapsed == .seconds(90))
    }

    @Test("calls come in the order of their times, also those that begin on the way (TEST-03)")
    func callsComeInOrder() {
        let clock = TestClock()
        let log = Mutex<[String]>([])
        clock.after(.seconds(20)) { log.withLock { $0.append("20") } }
        clock.after(.seconds(10)) {
            log.withLock { $0.append("10") }
            clock.after(.seconds(5)) { log.withLock { $0.append("15 at \(clock.elapsed())") } }
        }
        clock.after(.seconds(40)) { log.withLock { $0.append("40") } }
        clock.advance(by: .seconds(30))
        #expect(log.withLock { $0 } == ["10", "15 at 15.0 seconds", "20"])
        #expect(clock.waitingCount == 1)
    }

    @Test("a task sleeps until the clock has gone on, and a cancelled one wakes (TEST-03)")
    func taskSleepsUntilClockHasGoneOn() async throws {
        let clock = TestClock()
        let waker = Task {
            try await clock.sleep(for: .seconds(60))
            return clock.elapsed()
        }
        await eventually("the task sleeps") { clock.waitingCount == 1 }
        clock.advance(by: .seconds(59))
        #expect(clock.waitingCount == 1)
        clock.advance(by: .seconds(1))
        #expect(try await waker.value == .seconds(60))
        let sleeper = Task { try await clock.sleep(.seconds(60)) }
        await eventually("the task sleeps") { clock.waitingCount == 1 }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.waitingCount == 0)
    }
}
