import Synchronization

/// The threads that wait for queues while they hold others, for resolving deadlocks.
///
/// A thread waits for a queue in `performAndWait`; the block that runs on that queue may in turn wait for a queue that
/// the thread holds, as a child context asks its parent for rows. The waiting thread then runs that request, on its own
/// stack, before its own block: it holds the requested queue, and does nothing else on it meanwhile. The same applies
/// to a chain of waits.
///
/// Invariants:
/// 1. `waits` has the waits of threads that hold a queue, from `add` until their step is `granted`, `started` or
///    `serving`.
/// 2. A thread serves only queues on which it is not in the middle of work: those whose blocks wait in
///    `performAndWait`.
enum WaitGraph {
    private static let waits = Mutex<[QueueWait]>([])

    /// Adds a wait, unless it has ended. For each cycle that it closes, wakes a thread that must run the block of
    /// another.
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

    /// Adds a wait again that has served another one; returns whether its turn was skipped meanwhile.
    static func resume(_ wait: QueueWait) -> Bool {
        waits.withLock { waits in
            defer { wait.wasPassedOver = false }
            wait.step = .waiting
            add(wait, to: &waits)
            return wait.wasPassedOver
        }
    }

    /// Sets the step of a wait and removes it from the graph; returns false if another thread has done so already, or
    /// if the wait serves another one.
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

    /// Removes and returns the wait whose block a thread must run.
    static func takeServed(by wait: QueueWait) -> QueueWait? {
        waits.withLock { _ in
            defer { wait.served = nil }
            return wait.served
        }
    }

    /// Removes and returns the block of a wait, for the one thread that runs it.
    static func takeBlock(of wait: QueueWait) -> (() -> Void)? {
        let block = waits.withLock { _ in
            defer { wait.block = nil }
            return Transferred(wait.block)
        }
        return block.value
    }

    /// A wait in a cycle, and the wait of the thread that can serve it: that thread holds the queue of the first wait.
    ///
    /// If each of two threads could serve the other, the main thread serves, so that its own blocks run on it, in
    /// order.
    private static func firstCircle(_ waits: [QueueWait]) -> (asking: QueueWait, server: QueueWait)? {
        for asking in waits.filter(\.isForMainQueue) + waits {
            if let server = server(of: asking, among: waits) { return (asking, server) }
        }
        return nil
    }

    /// The wait of the thread that holds the queue of `asking` and waits, maybe through other threads, for the thread
    /// of `asking`.
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
