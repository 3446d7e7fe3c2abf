import Synchronization

/// Which threads wait for which queues while they hold others, and so who would wait for whom for ever.
///
/// A thread waits for a queue in `performAndWait`; the block that has the queue may ask for one that the thread holds, as a
/// child context asks its parent for rows. The thread then runs what is asked, on its own stack, before its own block: it
/// is the one that has the queue, and it does nothing else meanwhile. That holds along a chain of waits as well.
///
/// Invariants:
/// 1. `waits` has the waits of threads that hold a queue, from `add` until they are granted, started or made to serve.
/// 2. A thread serves only queues that it does not use at the moment: those in whose work it waits by `performAndWait`.
enum WaitGraph {
    private static let waits = Mutex<[QueueWait]>([])

    /// Adds a wait, unless it is over; the threads of cycles that it closes are notified which blocks to run.
    static func add(_ wait: QueueWait) {
        guard wait.held != nil else { return }
        waits.withLock { waits in if wait.step == .waiting { add(wait, to: &waits) } }
    }

    private static func add(_ wait: QueueWait, to waits: inout [QueueWait]) {
        waits.append(wait)
        while let (asking, server) = firstCircle(waits) {
            waits.removeAll { $0 === asking || $0 === server }
            asking.step = .started
            server.step = .serving
            server.served = asking
            server.wake()
        }
    }

    /// Adds a wait again that has served another; whether its turn came meanwhile and was passed over.
    static func resume(_ wait: QueueWait) -> Bool {
        waits.withLock { waits in
            defer { wait.wasPassedOver = false }
            wait.step = .waiting
            add(wait, to: &waits)
            return wait.wasPassedOver
        }
    }

    /// Moves a wait on, out of the graph; false where another thread has moved it already, or it serves another.
    static func move(_ wait: QueueWait, to step: QueueWait.Step) -> Bool {
        waits.withLock { waits in
            if wait.step == .serving { wait.wasPassedOver = true }
            guard wait.step == (step == .done ? .started : .waiting) else { return false }
            wait.step = step
            waits.removeAll { $0 === wait }
            return true
        }
    }

    static func step(of wait: QueueWait) -> QueueWait.Step { waits.withLock { _ in wait.step } }

    /// The wait whose block a thread is to run.
    static func takeServed(by wait: QueueWait) -> QueueWait? {
        waits.withLock { _ in
            defer { wait.served = nil }
            return wait.served
        }
    }

    /// The block of a wait, for the one thread that runs it.
    static func takeBlock(of wait: QueueWait) -> (() -> Void)? {
        let block = waits.withLock { _ in
            defer { wait.block = nil }
            return Transferred(wait.block)
        }
        return block.value
    }

    /// A wait for a queue whose holder waits, maybe through others, for one that the wait's thread holds.
    ///
    /// Where each of two threads could serve the other, the main thread does, so that its own blocks run there, in order.
    private static func firstCircle(_ waits: [QueueWait]) -> (asking: QueueWait, server: QueueWait)? {
        for asking in waits.filter(\.isForMainQueue) + waits {
            if let server = server(of: asking, among: waits) { return (asking, server) }
        }
        return nil
    }

    /// The thread that has the queue of a wait, and stands still until that is over.
    private static func server(of asking: QueueWait, among waits: [QueueWait]) -> QueueWait? {
        var blocking = [asking]
        var others = waits.filter { $0 !== asking }
        while let next = blocking.popLast() {
            let blocked = others.filter { next.held?.includes($0.target.mark) == true }
            if let server = blocked.first(where: { $0.target.lends(asking.target.mark) }) { return server }
            others.removeAll { other in blocked.contains { $0 === other } }
            blocking += blocked
        }
        return nil
    }
}
