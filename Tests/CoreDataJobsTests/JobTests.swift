import CoreDataJobs
import Foundation
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(2))) struct JobTests {
    private let queue = JobQueue(maximumConcurrentJobCount: 2)

    @Test("a job has its states, counts and row texts from the beginning to the end (CONC-06)")
    func statesAndTexts() async throws {
        let (middle, end) = (Gate(), Gate())
        let job = Job("Import people", total: 10) { handle in
            try handle.advance(by: 3)
            handle.report(message: "people.csv")
            middle.pass()
            try handle.advance(by: 7)
            end.pass()
        }
        #expect(job.state == .waiting && job.snapshot.rowText == "Waiting..." && job.snapshot.fraction == 0)
        try queue.add(job)
        await eventually("the middle") { middle.arrivalCount == 1 }
        #expect(job.state == .running && job.snapshot.rowText == "Completed 3 of 10")
        #expect(job.snapshot.fraction == 0.3 && job.snapshot.message == "people.csv")
        middle.open()
        end.open()
        try await job.waitForCompletion()
        #expect(job.state == .finished && job.snapshot.rowText == "Completed 10 of 10" && job.snapshot.fraction == 1)
    }

    @Test("a job whose number of units is not known has no fraction until it has finished")
    func unknownTotal() throws {
        let seen = Log<JobSnapshot>()
        let job = Job("Check") { try $0.advance(by: 5) }
        job.observe { seen.append($0) }
        try job.runInPlace()
        eventually("the last state") { seen.all.last?.state == .finished }
        #expect(seen.all.dropLast().allSatisfy { $0.fraction == nil })
        #expect(job.snapshot.rowText == "Completed 5" && job.snapshot.fraction == 1)
    }

    @Test("counts that overflow stay at the ends of their range")
    func overflow() throws {
        let job = Job("Count", total: .max) { handle in
            try handle.advance(by: .max)
            try handle.advance(by: .max)
        }
        try job.runInPlace()
        #expect(job.snapshot.completedUnitCount == .max)
        let other = Job("Count", total: -5) { handle in
            try handle.advance(by: .min)
            handle.report(completed: -3, total: -1)
        }
        try other.runInPlace()
        #expect(other.snapshot.completedUnitCount == 0 && other.snapshot.totalUnitCount == 0)
    }

    @Test("cancelling a running job ends it within one step (CONC-05)", arguments: [false, true])
    func cancelRunning(isAsynchronous: Bool) async throws {
        let (gate, steps) = (Gate(), Log<Int>())
        let job =
            isAsynchronous
            ? Job(
                "Copy", total: 1_000,
                asynchronousWork: { handle in
                    for number in 1...1_000 {
                        steps.append(number)
                        if number == 3 { await gate.pass() }
                        try await handle.advance()
                    }
                })
            : Job("Copy", total: 1_000) { handle in
                for number in 1...1_000 {
                    steps.append(number)
                    if number == 3 { gate.pass() }
                    try handle.advance()
                }
            }
        try queue.add(job)
        await eventually("the third step") { gate.arrivalCount == 1 }
        job.cancel(reason: "enough")
        #expect(job.state == .running && job.snapshot.isCancelled && job.snapshot.rowText == "Cancelled...")
        gate.open()
        await #expect(throws: CancellationError.self) { try await job.waitForCompletion() }
        #expect(steps.all == [1, 2, 3])
        #expect(job.state == .cancelled && job.snapshot.reason == "enough")
    }

    @Test("a waiting job that is cancelled ends at once, and its work is not called (CONC-05)")
    func cancelWaiting() async throws {
        let queue = JobQueue(maximumConcurrentJobCount: 1)
        let (gate, log) = (Gate(), Log<String>())
        let first = Job("First") { _ in gate.pass() }
        let second = Job("Second") { _ in log.append("second") }
        let third = Job("Third") { _ in log.append("third") }
        for job in [first, second, third] { try queue.add(job) }
        await eventually("the first job") { gate.arrivalCount == 1 }
        second.cancel()
        #expect(second.state == .cancelled)
        try? second.waitUntilEnded()
        gate.open()
        try await third.waitForCompletion()
        #expect(log.all == ["third"])
    }

    @Test("a waiting job of a suspended queue is removed at once when it is cancelled (CONC-05)")
    func cancelInSuspendedQueue() throws {
        queue.isSuspended = true
        let job = Job("Scan") { _ in }
        try queue.add(job)
        job.cancel()
        #expect(throws: CancellationError.self) { try job.waitUntilEnded() }
        #expect(queue.rows().map(\.rowText) == ["Cancelled..."])
    }

    @Test("work that returns although it was cancelled has finished")
    func finishedDespiteCancel() async throws {
        let gate = Gate()
        let job = Job("Save") { _ in gate.pass() }
        try queue.add(job)
        await eventually("the work") { gate.arrivalCount == 1 }
        job.cancel()
        gate.open()
        try await job.waitForCompletion()
        #expect(job.state == .finished && job.snapshot.rowText == "Completed 0")
    }

    @Test("a job that is cancelled again, after its end or before, stays as it is")
    func cancelAgain() throws {
        let job = Job("Save") { _ in }
        try job.runInPlace()
        job.cancel(reason: "late")
        job.pause()
        job.resume()
        #expect(job.state == .finished && !job.snapshot.isCancelled)
        let other = Job("Save") { _ in }
        other.cancel(reason: "first")
        other.cancel(reason: "second")
        #expect(other.snapshot.reason == "first")
    }

    @Test("a paused job stands still at its next pause point until it is resumed", arguments: [false, true])
    func pauseAndResume(isAsynchronous: Bool) async throws {
        let (gate, steps) = (Gate(), Log<Int>())
        let job =
            isAsynchronous
            ? Job(
                "Copy", total: 4,
                asynchronousWork: { handle in
                    for number in 1...4 {
                        if number == 2 { await gate.pass() }
                        steps.append(number)
                        try await handle.advance()
                    }
                })
            : Job("Copy", total: 4) { handle in
                for number in 1...4 {
                    if number == 2 { gate.pass() }
                    steps.append(number)
                    try handle.advance()
                }
            }
        try queue.add(job)
        await eventually("the second step") { gate.arrivalCount == 1 }
        job.pause()
        gate.open()
        await eventually("the pause point") { steps.all == [1, 2] && job.snapshot.completedUnitCount == 2 }
        #expect(job.state == .paused && job.snapshot.rowText == "Completed 2 of 4")
        try await Task.sleep(for: .milliseconds(30))
        #expect(steps.all == [1, 2])
        job.resume()
        try await job.waitForCompletion()
        #expect(steps.all == [1, 2, 3, 4])
    }

    @Test("a paused job that is cancelled ends", arguments: [false, true])
    func cancelPaused(hasBegun: Bool) async throws {
        let gate = Gate()
        let job = Job("Copy") { handle in
            gate.pass()
            try handle.passPausePoint()
        }
        if !hasBegun { job.pause() }
        try queue.add(job)
        if hasBegun {
            await eventually("the work") { gate.arrivalCount == 1 }
            job.pause()
            gate.open()
        }
        #expect(job.state == .paused)
        job.cancel()
        await #expect(throws: CancellationError.self) { try await job.waitForCompletion() }
        #expect(gate.arrivalCount == (hasBegun ? 1 : 0))
    }

    @Test("a job that is paused while it waits takes no place of the queue, and begins when it is resumed")
    func pauseWaiting() async throws {
        let queue = JobQueue(maximumConcurrentJobCount: 1)
        let (gate, log) = (Gate(), Log<String>())
        try queue.add(Job("First") { _ in gate.pass() })
        let second = Job("Second") { _ in log.append("second") }
        let third = Job("Third") { _ in log.append("third") }
        try queue.add(second)
        second.pause()
        try queue.add(third)
        #expect(second.snapshot.rowText == "Waiting...")
        gate.open()
        try await third.waitForCompletion()
        #expect(log.all == ["third"] && second.state == .paused)
        second.resume()
        try await second.waitForCompletion()
        #expect(log.all == ["third", "second"])
    }

    @Test("a job runs once, in a queue or in place")
    func usedTwice() throws {
        let job = Job("Save") { _ in }
        try job.runInPlace()
        #expect(throws: JobError.self) { try job.runInPlace() }
        #expect(throws: JobError.self) { try queue.add(job) }
        let other = Job("Save", asynchronousWork: { _ in })
        #expect { try other.runInPlace() } throws: { ($0 as? JobError)?.code == .workIsAsynchronous }
    }

    @Test("work in place throws its error, and the job has it")
    func errorInPlace() {
        let job = Job("Save") { _ in throw Refusal() }
        #expect(throws: Refusal.self) { try job.runInPlace() }
        #expect(job.state == .failed && job.snapshot.rowText == "Failed: refused" && job.snapshot.error is Refusal)
    }

    @Test("a cancelled task that waits for a job cancels the job (CONC-05)")
    func cancelledTask() async throws {
        let gate = Gate()
        let job = Job("Copy") { handle in
            gate.pass()
            try handle.checkCancellation()
        }
        try queue.add(job)
        let waiting = Task { try await job.waitForCompletion() }
        await eventually("the work") { gate.arrivalCount == 1 }
        waiting.cancel()
        await eventually("the cancelling") { job.snapshot.isCancelled }
        gate.open()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(job.state == .cancelled)
    }

    @Test("the task of asynchronous work is cancelled with its job (CONC-05)")
    func taskOfWork() async throws {
        let begun = Gate()
        begun.open()
        let other = Job(
            "Download",
            asynchronousWork: { _ in
                await begun.pass()
                try await Task.sleep(for: .seconds(3_600))
            })
        try queue.add(other)
        await eventually("the work") { begun.arrivalCount == 1 }
        other.cancel()
        await #expect(throws: CancellationError.self) { try await other.waitForCompletion() }
    }

    @Test("a handle that is kept changes nothing after the end of the job")
    func keptHandle() throws {
        let kept = Log<JobHandle>()
        let job = Job("Save", total: 2) { handle in
            kept.append(handle)
            try handle.advance()
        }
        try job.runInPlace()
        let handle = try #require(kept.all.first)
        try handle.advance()
        handle.report(completed: 7, total: 8, message: "late")
        #expect(job.snapshot.rowText == "Completed 1 of 2" && job.snapshot.message.isEmpty)
    }
}
