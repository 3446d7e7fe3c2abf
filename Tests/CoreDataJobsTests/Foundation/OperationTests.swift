import Foundation
import LockKit
import TestBasics
import Testing

@testable import CoreDataJobs

/// Foundation's operations and their queue, on which jobs run.
@Suite(.timeLimit(.minutes(2))) struct OperationTests {
    private let queue = OperationQueue()
    private let log = Log<String>()

    @Test("an operation has the flags of its state (CONC-03)")
    func flags() {
        let gate = Gate()
        let operation = BlockOperation { gate.pass() }
        func flags() -> [Bool] {
            [operation.isReady, operation.isExecuting, operation.isFinished, operation.isCancelled]
        }
        #expect(flags() == [true, false, false, false])
        let first = BlockOperation {}
        operation.addDependency(first)
        #expect(flags() == [false, false, false, false])
        first.start()
        #expect(flags() == [true, false, false, false])
        queue.addOperation(operation)
        eventually("the work") { gate.arrivalCount == 1 }
        #expect(flags() == [true, true, false, false])
        gate.open()
        queue.waitUntilAllOperationsAreFinished()
        operation.cancel()
        #expect(flags() == [true, false, true, false])
    }

    @Test("an operation that polls isCancelled ends at its next step (CONC-03, CONC-05)")
    func polling() {
        let (gate, log) = (Gate(), log)
        let operation = Locked<Operation?>(nil)
        let block = BlockOperation {
            for step in 1...100 {
                if operation.withLock({ $0?.isCancelled ?? false }) { return }
                log.append("\(step)")
                if step == 3 { gate.pass() }
            }
        }
        operation.withLock { $0 = block }
        queue.addOperation(block)
        eventually("the third step") { gate.arrivalCount == 1 }
        block.cancel()
        #expect(block.isExecuting && block.isCancelled)
        gate.open()
        queue.waitUntilAllOperationsAreFinished()
        #expect(log.all == ["1", "2", "3"])
    }

    @Test("among ready operations the highest priority begins first, a dependent after its prerequisites (CONC-04)")
    func order() {
        let log = log
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        let priorities: [Operation.QueuePriority] = [.low, .veryHigh, .normal, .veryLow, .high]
        for priority in priorities {
            let operation = BlockOperation { log.append("\(priority.rawValue)") }
            operation.queuePriority = priority
            queue.addOperation(operation)
        }
        let dependent = BlockOperation { log.append("dependent") }
        dependent.queuePriority = .veryHigh
        queue.operations.forEach(dependent.addDependency)
        queue.addOperation(dependent)
        #expect(log.all.isEmpty)
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(log.all == ["8", "4", "0", "-4", "-8", "dependent"])
    }

    @Test("a suspended queue begins nothing new, and never more run than its maximum (CONC-04)")
    func suspendedAndMaximum() {
        let counts = Locked((running: 0, most: 0, all: 0))
        queue.maxConcurrentOperationCount = 3
        queue.isSuspended = true
        for _ in 0..<50 {
            queue.addOperation {
                counts.withLock { $0 = ($0.running + 1, max($0.most, $0.running + 1), $0.all + 1) }
                Thread.sleep(forTimeInterval: 0.001)
                counts.withLock { $0.running -= 1 }
            }
        }
        Thread.sleep(forTimeInterval: 0.03)
        #expect(counts.withLock { $0.all } == 0)
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(counts.withLock { $0.all == 50 && (1...3).contains($0.most) })
    }

    @Test("a cancelled operation never runs, but stays in a suspended queue until that goes on (CONC-05)")
    func cancelledWaiting() {
        let log = log
        queue.isSuspended = true
        let operation = BlockOperation { log.append("ran") }
        queue.addOperation(operation)
        operation.cancel()
        // A job leaves its list at once instead: see JobTests.
        #expect(queue.operationCount == 1 && operation.isCancelled && !operation.isFinished)
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(log.all.isEmpty && operation.isFinished && queue.operationCount == 0)
    }

    @Test("an operation goes into one queue once: a second time ends the process (CONC-03)")
    func addedTwice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (queue, operation) = (OperationQueue(), BlockOperation {})
            queue.isSuspended = true
            queue.addOperation(operation)
            queue.addOperation(operation)
        }
        #expect(result.standardErrorText.contains("already in a queue cannot be enqueued"))
    }
}
