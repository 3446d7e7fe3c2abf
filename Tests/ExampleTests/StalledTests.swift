import CoreDataJobs
import Foundation
import Synchronization
import TestBasics
import Testing

@testable import StalledSample

/// The example Stalled: one calculation in three forms, and what each of them does to the page.
@Suite(.timeLimit(.minutes(5))) struct StalledTests {
    /// What a label drew, in order.
    @MainActor private final class Page {
        var drawn: [String] = []
        lazy var label = Label { [weak self] in self?.drawn.append($0) }

        /// Lets the main queue do what waits there.
        func turn() async {
            await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        }
    }

    @Test("the label says the number and three digits of its root (SAMPLE-20)") func text() {
        let roots = SquareRoots()
        #expect(roots.count == 10_000)
        #expect(roots.text(2) == "Square Root of 2 is 1.414")
        #expect(roots.text(10_000) == "Square Root of 10000 is 100.000")
    }

    @Test("the blocking form draws nothing until its end, and then the last root (SAMPLE-20)")
    @MainActor func blocking() async {
        let page = Page()
        let calculated = Atomic(0)
        let roots = SquareRoots { number in
            calculated.wrappingAdd(1, ordering: .relaxed)
            return Double(number).squareRoot()
        }
        BlockingCalculation(roots: roots, label: page.label).run()
        #expect(calculated.load(ordering: .relaxed) == 10_000 && page.drawn.isEmpty)
        await page.turn()
        #expect(page.drawn == ["Square Root of 10000 is 100.000"])
    }

    /// A time that goes on with each root.
    private final class Time: Sendable {
        private let time = Mutex(Duration.zero)
        private let numbers = Mutex<[Int]>([])

        var now: Duration { time.withLock { $0 } }
        var calculated: [Int] { numbers.withLock { $0 } }

        func roots(_ count: Int, each: Duration) -> SquareRoots {
            SquareRoots(count: count) { [self] number in
                time.withLock { $0 += each }
                numbers.withLock { $0.append(number) }
                return Double(number).squareRoot()
            }
        }
    }

    @Test(
        "no slice blocks for longer than half of a sixtieth of a second, and the page is drawn in between (SAMPLE-20)")
    @MainActor func slices() async {
        #expect(SlicedCalculation.slice == Duration.seconds(1) / 60 / 2)
        let (page, time) = (Page(), Time())
        let calculation = SlicedCalculation(
            time.roots(10_000, each: .milliseconds(1)), label: page.label, now: { time.now })
        calculation.begin()
        var (ticks, longest) = (0, Duration.zero)
        while calculation.isRunning, ticks < 20_000 {
            let before = time.now
            calculation.tick()
            longest = max(longest, time.now - before)
            ticks += 1
            await page.turn()
        }
        // Eight roots of a millisecond fit into 8.33 ms.
        #expect(longest == .milliseconds(8) && longest <= SlicedCalculation.slice)
        #expect(ticks == 1_250 && page.drawn.count == ticks)
        #expect(page.drawn.first == "Square Root of 8 is 2.828")
        #expect(page.drawn.last == "Calculations Finished")
        #expect(time.calculated == Array(1...10_000) && calculation.completed == 10_000)
    }

    @Test("a root that is slower than a slice has one of its own, and no slice has two (SAMPLE-20)")
    @MainActor func slowRoots() {
        let (page, time) = (Page(), Time())
        let calculation = SlicedCalculation(
            time.roots(3, each: .milliseconds(20)), label: page.label, now: { time.now })
        calculation.begin()
        for expected in 1...3 {
            calculation.tick()
            #expect(calculation.completed == expected)
        }
        #expect(!calculation.isRunning)
    }

    @Test("slices stop within one tick, and the label says that they were cancelled (SAMPLE-20)")
    @MainActor func cancelling() async {
        let (page, time) = (Page(), Time())
        let calculation = SlicedCalculation(
            time.roots(10_000, each: .milliseconds(2)), label: page.label, now: { time.now })
        calculation.begin()
        for _ in 0..<5 { calculation.tick() }
        #expect(calculation.completed == 20)
        calculation.cancel()
        calculation.tick()
        await page.turn()
        #expect(!calculation.isRunning && calculation.completed == 20 && time.calculated.count == 20)
        #expect(page.drawn.last == "Calculations Cancelled")
        // After its end nothing can be cancelled.
        calculation.cancel()
        await page.turn()
        #expect(page.drawn.count == 1)
    }

    @Test("a timer of the main queue calculates the slices (SAMPLE-20)")
    @MainActor func timer() async {
        let page = Page()
        let calculation = SlicedCalculation(SquareRoots(count: 200), label: page.label)
        calculation.start()
        let limit = Date().addingTimeInterval(200)
        while calculation.isRunning, Date() < limit { await page.turn() }
        await page.turn()
        #expect(page.drawn.last == "Calculations Finished" && calculation.completed == 200)
    }

    /// A clock that stands still unless the test moves it; what waits is called then.
    private final class StandingClock: Sendable {
        private struct State {
            var now = Duration.zero
            var waiting: [(due: Duration, block: @Sendable () -> Void)] = []
        }

        private let state = Mutex(State())

        var clock: JobClock {
            JobClock(
                now: { [self] in state.withLock { $0.now } },
                after: { [self] time, block in state.withLock { $0.waiting.append(($0.now + time, block)) } })
        }

        func advance(by time: Duration) {
            let due = state.withLock { state -> [@Sendable () -> Void] in
                state.now += time
                let due = state.waiting.filter { $0.due <= state.now }.map(\.block)
                state.waiting.removeAll { $0.due <= state.now }
                return due
            }
            for block in due { block() }
        }
    }

    @Test("of a job of the queue is heard at most twice a second, and its last item is n (SAMPLE-20)")
    func progress() async throws {
        let standing = StandingClock()
        let calculation = QueuedCalculation(clock: standing.clock)
        let calculated = Mutex<[Int]>([])
        // Ten seconds for 10,000 roots: the clock goes on by a millisecond with each.
        let job = try calculation.add(
            SquareRoots { number in
                calculated.withLock { $0.append(number) }
                standing.advance(by: .milliseconds(1))
                return Double(number).squareRoot()
            })
        var heard: [JobSnapshot] = []
        for await update in job.updates { heard.append(update) }
        try await job.waitForCompletion()
        #expect(calculated.withLock { $0 } == Array(1...10_000))
        let progress = heard.filter { $0.state == .running }
        #expect(progress.count <= 2 * 10 + 2)
        let last = try #require(heard.last)
        #expect(last.state == .finished && last.completedUnitCount == 10_000)
        #expect(last.message == "Square Root of 10000 is 100.000")
        #expect(
            calculation.rows() == [
                "Square roots of 1 to 10000: Completed 10000 of 10000, Square Root of 10000 is 100.000"
            ])
    }

    @Test("n jobs have a row each, k of them run, and the others wait; cancelled ones say so (SAMPLE-20)")
    func rows() async throws {
        let calculation = QueuedCalculation(running: 2)
        let gate = DispatchSemaphore(value: 0)
        let atWork = Atomic(0)
        let greatest = Atomic(0)
        let roots = SquareRoots(count: 1) { number in
            let count = atWork.wrappingAdd(1, ordering: .relaxed).newValue
            greatest.max(count, ordering: .relaxed)
            gate.wait()
            atWork.wrappingSubtract(1, ordering: .relaxed)
            return Double(number).squareRoot()
        }
        let jobs = try (0..<5).map { _ in try calculation.add(roots) }
        #expect(await eventually("two jobs at work", within: .seconds(200)) { atWork.load(ordering: .relaxed) == 2 })
        let waiting = calculation.rows().filter { $0 == "Square roots of 1 to 1: Waiting..." }
        #expect(calculation.rows().count == 5 && waiting.count == 3)
        jobs[4].cancel()
        #expect(calculation.rows().last == "Square roots of 1 to 1: Cancelled...")
        for _ in 0..<4 { gate.signal() }
        for job in jobs.prefix(4) { try await job.waitForCompletion() }
        #expect(greatest.load(ordering: .relaxed) == 2)
        #expect(
            calculation.rows().prefix(4).allSatisfy {
                $0 == "Square roots of 1 to 1: Completed 1 of 1, Square Root of 1 is 1.000"
            })
    }
}
