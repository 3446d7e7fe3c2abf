import CoreDataJobs
import Foundation
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(2))) struct ObservationTests {
    private let time = TestClock()

    /// Runs work in place, with the counts that an observer saw, the state it saw last, and the number of units.
    private func seen(_ work: @escaping @Sendable (JobHandle) throws -> Void) throws -> [String] {
        let log = Log<String>()
        let job = Job("Import", total: 1_000, clock: time.clock, work: work)
        job.observe { log.append($0.brief) }
        try? job.runInPlace()
        eventually("the last state") {
            ["finished", "failed", "cancelled"].contains { log.all.last?.hasPrefix($0) == true }
        }
        return log.all
    }

    @Test("progress is published at most twice a second, each state and the last count always (CONC-06)")
    func twiceASecond() throws {
        let time = time
        let seen = try seen { handle in
            for _ in 0..<100 {
                try handle.advance(by: 10)
                time.advance(by: .milliseconds(20))
            }
        }
        // Two seconds of work: published at 0.5, 1.0 and 1.5 s besides the states, with what was known then.
        #expect(
            seen == [
                "waiting 0/1000", "running 0/1000", "running 250/1000", "running 500/1000", "running 750/1000",
                "running 1000/1000", "finished 1000/1000",
            ], "\(seen)")
    }

    @Test("progress after which nothing comes for a while is published when its time has come (CONC-06)")
    func lastOfABurst() throws {
        let time = time
        let seen = try seen { handle in
            try handle.advance(by: 10)
            try handle.advance(by: 20)
            time.advance(by: .seconds(60))
            try handle.advance(by: 1)
            time.advance(by: .seconds(60))
        }
        #expect(
            seen == ["waiting 0/1000", "running 0/1000", "running 30/1000", "running 31/1000", "finished 31/1000"],
            "\(seen)")
    }

    @Test("the state is published at once, also right after progress (CONC-06)")
    func statesAtOnce() throws {
        let seen = try seen { handle in
            try handle.advance(by: 10)
            throw Refusal()
        }
        #expect(seen == ["waiting 0/1000", "running 0/1000", "failed 10/1000"], "\(seen)")
    }

    @Test("the sequence of updates has each state, and ends with the job (CONC-06)")
    func sequence() async throws {
        let queue = JobQueue()
        let job = Job("Import", total: 2, clock: time.clock) { try $0.advance(by: 2) }
        let updates = job.updates
        try queue.add(job)
        var states: [JobState] = []
        for await update in updates { states.append(update.state) }
        #expect(states == [.waiting, .running, .finished])
        var late: [JobState] = []
        for await update in job.updates { late.append(update.state) }
        #expect(late == [.finished])
    }

    @Test("an observation that is cancelled hears of nothing more")
    func cancelledObservation() throws {
        let log = Log<JobState>()
        let job = Job("Import") { _ in }
        let (first, last) = (Log<JobState>(), job.observe { log.append($0.state) })
        job.observe { first.append($0.state) }
        eventually("the first call") { log.all == [.waiting] }
        last.cancel()
        last.cancel()
        try job.runInPlace()
        eventually("the other's last call") { first.all == [.waiting, .running, .finished] }
        #expect(log.all == [.waiting])
    }

    @Test("a job is a part of a parent's progress (CONC-06)")
    func parentProgress() async throws {
        let parent = Progress(totalUnitCount: 100)
        let (first, gate) = (Gate(), Gate())
        let one = Job("One", total: 10, clock: time.clock) { handle in
            try handle.advance(by: 5)
            first.pass()
            gate.pass()
        }
        let other = Job("Other", after: [one]) { try $0.advance(by: 3) }
        one.join(parent, units: 60)
        other.join(parent, units: 40)
        let queue = JobQueue()
        try queue.add(one)
        try queue.add(other)
        await eventually("the half") { first.arrivalCount == 1 }
        first.open()
        time.advance(by: .seconds(1))
        await eventually("the half in the parent") { parent.fractionCompleted == 0.3 }
        #expect(one.progress.completedUnitCount == 5 && one.progress.totalUnitCount == 10)
        gate.open()
        try await other.waitForCompletion()
        #expect(parent.completedUnitCount == 100 && parent.isFinished)
    }

    @Test("cancelling a progress, or a parent of it, cancels the job, and the job cancels its progress (CONC-05)")
    func cancelByProgress() async throws {
        let parent = Progress(totalUnitCount: 1)
        let job = Job("Import") { _ in }
        job.join(parent, units: 1)
        parent.cancel()
        await #expect(throws: CancellationError.self) { try await job.waitForCompletion() }
        let other = Job("Import") { _ in }
        other.cancel()
        #expect(other.progress.isCancelled)
    }

    @Test("pausing a progress pauses the job, and resuming resumes it")
    func pauseByProgress() async throws {
        let queue = JobQueue()
        let job = Job("Import") { _ in }
        job.progress.pause()
        await eventually("the pause") { job.state == .paused }
        try queue.add(job)
        job.progress.resume()
        try await job.waitForCompletion()
    }

    @Test("many jobs with one parent bring it to its end (CONC-08)")
    func manyJobsOfOneParent() async throws {
        let parent = Progress(totalUnitCount: 64)
        let queue = JobQueue(maximumConcurrentJobCount: 8)
        let jobs = (0..<64).map { number in
            Job("\(number)", total: 100) { handle in for _ in 0..<100 { try handle.advance() } }
        }
        for job in jobs { job.join(parent, units: 1) }
        for job in jobs { try queue.add(job) }
        for job in jobs { try await job.waitForCompletion() }
        #expect(parent.completedUnitCount == 64 && parent.fractionCompleted == 1)
    }
}
