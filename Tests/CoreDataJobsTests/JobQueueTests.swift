import Foundation
import LockKit
import TestBasics
import Testing

@testable import CoreDataJobs

@Suite(.timeLimit(.minutes(2))) struct JobQueueTests {
    @Test("of the jobs that are ready the one with the highest priority begins first (CONC-04)")
    func priorities() async throws {
        let (queue, log) = (JobQueue(maximumConcurrentJobCount: 1), Log<JobPriority>())
        queue.isSuspended = true
        let order: [JobPriority] = [.low, .veryHigh, .normal, .veryLow, .high, .normal, .veryHigh]
        let jobs = order.map { priority in Job("\(priority)", priority: priority) { _ in log.append(priority) } }
        for job in jobs { try queue.add(job) }
        queue.isSuspended = false
        for job in jobs { try await job.waitForCompletion() }
        #expect(log.all == order.sorted(by: >))
    }

    @Test("a suspended queue begins nothing new, and what runs goes on (CONC-04)")
    func suspended() async throws {
        let (queue, gate, log) = (JobQueue(maximumConcurrentJobCount: 2), Gate(), Log<String>())
        let running = Job("Running") { _ in
            gate.pass()
            log.append("running")
        }
        try queue.add(running)
        await eventually("the job") { gate.arrivalCount == 1 }
        queue.isSuspended = true
        let next = Job("Next") { _ in log.append("next") }
        try queue.add(next)
        gate.open()
        try await running.waitForCompletion()
        try await Task.sleep(for: .milliseconds(30))
        #expect(log.all == ["running"] && next.state == .waiting)
        queue.isSuspended = false
        try await next.waitForCompletion()
        #expect(log.all == ["running", "next"])
    }

    @Test("never more jobs run than the queue allows, blocking or not (CONC-04)", arguments: [1, 3])
    func maximumCount(limit: Int) async throws {
        let queue = JobQueue(maximumConcurrentJobCount: limit)
        #expect(queue.maximumConcurrentJobCount == limit)
        let counts = Locked((running: 0, most: 0))
        let jobs = (0..<60).map { number -> Job in
            number % 2 == 0
                ? Job("\(number)") { _ in
                    counts.withLock { ($0.running, $0.most) = ($0.running + 1, max($0.most, $0.running + 1)) }
                    Thread.sleep(forTimeInterval: 0.001)
                    counts.withLock { $0.running -= 1 }
                }
                : Job(
                    "\(number)",
                    asynchronousWork: { _ in
                        counts.withLock { ($0.running, $0.most) = ($0.running + 1, max($0.most, $0.running + 1)) }
                        try await Task.sleep(for: .milliseconds(1))
                        counts.withLock { $0.running -= 1 }
                    })
        }
        for job in jobs { try queue.add(job) }
        for job in jobs { try await job.waitForCompletion() }
        #expect(counts.withLock { $0.most } == limit && counts.withLock { $0.running } == 0)
    }

    @Test("a dependent begins after its prerequisites, also of another queue and whatever the priorities (CONC-04)")
    func prerequisites() async throws {
        let (queue, other, log) = (JobQueue(maximumConcurrentJobCount: 4), JobQueue(), Log<String>())
        let gate = Gate()
        let first = Job("first", priority: .veryLow) { _ in
            gate.pass()
            log.append("first")
        }
        let second = Job("second", after: [first]) { _ in log.append("second") }
        let last = Job("last", priority: .veryHigh, after: [first, second]) { _ in log.append("last") }
        try queue.add(last)
        try other.add(second)
        try queue.add(first)
        await eventually("the first job") { gate.arrivalCount == 1 }
        #expect(second.state == .waiting && last.state == .waiting)
        gate.open()
        try await last.waitForCompletion()
        #expect(log.all == ["first", "second", "last"])
        let late = Job("late", after: [first]) { _ in log.append("late") }
        try queue.add(late)
        try await late.waitForCompletion()
    }

    @Test("a dependent of a failed or cancelled job is cancelled with the reason, and the one after it too (CONC-04)")
    func failedPrerequisite() async throws {
        let (queue, log) = (JobQueue(), Log<String>())
        let failing = Job("Export") { _ in throw Refusal() }
        let dependent = Job("Copy", after: [failing]) { _ in log.append("copy") }
        let last = Job("Check", after: [dependent]) { _ in log.append("check") }
        let other = Job("Scan") { _ in log.append("scan") }
        for job in [last, dependent, failing, other] { try queue.add(job) }
        await #expect(throws: Refusal.self) { try await failing.waitForCompletion() }
        await #expect(throws: CancellationError.self) { try await last.waitForCompletion() }
        try await other.waitForCompletion()
        #expect(log.all == ["scan"])
        #expect(dependent.snapshot.reason == "its prerequisite 'Export' failed: refused")
        #expect(last.snapshot.reason == "its prerequisite 'Copy' was cancelled")
        let late = Job("Late", after: [failing]) { _ in log.append("late") }
        try queue.add(late)
        #expect(late.state == .cancelled)
        #expect(throws: CancellationError.self) { try Job("In place", after: [last]) { _ in }.runInPlace() }
    }

    @Test("an error in one job leaves the others going (CONC-03)")
    func errorInOne() async throws {
        let (queue, log) = (JobQueue(maximumConcurrentJobCount: 1), Log<Int>())
        let jobs = (0..<10).map { number in
            Job("\(number)") { _ in
                if number % 3 == 0 { throw Refusal() }
                log.append(number)
            }
        }
        for job in jobs { try queue.add(job) }
        for job in jobs { try? await job.waitForCompletion() }
        #expect(log.all == [1, 2, 4, 5, 7, 8])
        #expect(jobs.map(\.state) == (0..<10).map { $0 % 3 == 0 ? .failed : .finished })
    }

    @Test(
        "finished and cancelled rows leave some time after they were seen, failed ones when they are dismissed (CONC-06)"
    )
    func rowsLeave() async throws {
        let (time, gate) = (TestClock(), Gate())
        let queue = JobQueue(maximumConcurrentJobCount: 4, lingering: .seconds(5), clock: time.clock)
        let running = Job("Running", total: 2) { _ in gate.pass() }
        let done = Job("Done", total: 1) { try $0.advance() }
        let failed = Job("Failed") { _ in throw Refusal() }
        let cancelled = Job("Cancelled") { _ in }
        cancelled.cancel()
        for job in [running, done, failed] { try queue.add(job) }
        #expect(throws: Never.self) { try queue.add(cancelled) }
        for job in [done, failed] { try? await job.waitForCompletion() }
        await eventually("the work") { gate.arrivalCount == 1 }
        time.advance(by: .seconds(3_600))
        let texts = ["Completed 0 of 2", "Completed 1 of 1", "Failed: refused", "Cancelled..."]
        #expect(queue.rows().map(\.rowText) == texts)
        time.advance(by: .seconds(4))
        #expect(queue.rows().map(\.rowText) == texts, "a page that is loaded again still has them")
        time.advance(by: .seconds(1))
        #expect(queue.rows().map(\.title) == ["Running", "Failed"])
        queue.dismiss(running.id)
        queue.dismiss(failed.id)
        #expect(queue.jobs.map(\.title) == ["Running"])
        #expect(queue.job(running.id) === running)
        gate.open()
        try await running.waitForCompletion()
    }

    @Test("ended jobs whose rows are never looked at are kept to a number")
    func boundedList() async throws {
        let queue = JobQueue(maximumConcurrentJobCount: 4)
        var last: Job?
        for number in 0..<450 {
            let job = Job("\(number)") { _ in }
            try queue.add(job)
            try await job.waitForCompletion()
            last = job
        }
        #expect(queue.jobs.count <= 201 && queue.jobs.last === last)
    }

    @Test("jobs that need the network wait until it is reachable, others do not (WEB-13)")
    func network() async throws {
        let (network, log) = (TestNetwork(isReachable: false), Log<String>())
        let queue = JobQueue(maximumConcurrentJobCount: 1, network: network)
        let online = Job("Online", needsNetwork: true) { _ in log.append("online") }
        let local = Job("Local") { _ in log.append("local") }
        try queue.add(online)
        try queue.add(local)
        try await local.waitForCompletion()
        #expect(online.state == .waiting && log.all == ["local"])
        network.set(true)
        try await online.waitForCompletion()
        #expect(log.all == ["local", "online"])
    }

    @Test("a job that has lost the network goes on when it is back (WEB-13)", arguments: [false, true])
    func lostNetwork(isAsynchronous: Bool) async throws {
        let (network, gate, log) = (TestNetwork(isReachable: true), Gate(), Log<String>())
        let queue = JobQueue(network: network)
        let job =
            isAsynchronous
            ? Job(
                "Download", needsNetwork: true,
                asynchronousWork: { handle in
                    await gate.pass()
                    try await handle.waitForNetwork()
                    log.append("went on")
                })
            : Job("Download", needsNetwork: true) { handle in
                gate.pass()
                try handle.waitForNetwork()
                log.append("went on")
            }
        try queue.add(job)
        await eventually("the work") { gate.arrivalCount == 1 }
        network.set(false)
        gate.open()
        try await Task.sleep(for: .milliseconds(30))
        #expect(log.all.isEmpty && job.state == .running)
        network.set(true)
        try await job.waitForCompletion()
        #expect(log.all == ["went on"])
    }

    @Test("a job that waits for the network can be cancelled", arguments: [false, true])
    func cancelWithoutNetwork(hasBegun: Bool) async throws {
        let (network, gate) = (TestNetwork(isReachable: hasBegun), Gate())
        let queue = JobQueue(network: network)
        let job = Job("Download", needsNetwork: true) { handle in
            gate.pass()
            try handle.waitForNetwork()
        }
        try queue.add(job)
        if hasBegun {
            await eventually("the work") { gate.arrivalCount == 1 }
            network.set(false)
            gate.open()
        }
        job.cancel()
        await #expect(throws: CancellationError.self) { try await job.waitForCompletion() }
    }

    @Test("a released queue lets go of the network, and its jobs run to their ends")
    func released() async throws {
        let (network, gate) = (TestNetwork(isReachable: true), Gate())
        var queue: JobQueue? = JobQueue(maximumConcurrentJobCount: 1, network: network)
        let jobs = [Job("First") { _ in gate.pass() }, Job("Second") { _ in }]
        for job in jobs { try queue?.add(job) }
        #expect(network.observerCount == 1)
        queue = nil
        #expect(network.observerCount == 0)
        gate.open()
        for job in jobs { try await job.waitForCompletion() }
    }

    @Test("jobs that are added, paused, resumed and cancelled by many threads all come to an end (CONC-04, CONC-05)")
    func stress() async throws {
        let network = TestNetwork(isReachable: true)
        let queue = JobQueue(maximumConcurrentJobCount: 3, network: network)
        let jobs = Locked<[Job]>([])
        let ran = Locked<[UUID: Int]>([:])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var random = SeededRandom(seed: TestSeed.first &+ UInt64(thread))
            for number in 0..<40 {
                let before = jobs.withLock { $0.suffix(2) }
                let job = Job(
                    "\(thread).\(number)", total: 5, priority: JobPriority.allCases[random.next(below: 5)],
                    after: random.next(below: 3) == 0 ? Array(before) : [], needsNetwork: random.next(below: 4) == 0
                ) { handle in
                    ran.withLock { $0[handle.id, default: 0] += 1 }
                    for _ in 0..<5 { try handle.advance() }
                }
                jobs.withLock { $0.append(job) }
                try? queue.add(job)
                switch random.next(below: 8) {
                case 0: job.pause()
                case 1: job.cancel()
                case 2: network.set(random.next(below: 2) == 0)
                case 3: jobs.withLock { $0.first { $0.state == .paused } }?.resume()
                case 4: _ = queue.rows()
                default: break
                }
            }
        }
        network.set(true)
        let all = jobs.withLock { $0 }
        for job in all { job.resume() }
        for job in all { try? await job.waitForCompletion() }
        #expect(all.count == 320 && all.allSatisfy { $0.state == .finished || $0.state == .cancelled })
        #expect(ran.withLock { ran in ran.values.allSatisfy { $0 == 1 } })
        #expect(all.filter { $0.state == .finished }.allSatisfy { $0.snapshot.completedUnitCount == 5 })
    }
}
