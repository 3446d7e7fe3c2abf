import Dispatch

/// A thread that waits until its block has run on a queue, and the state of that wait.
///
/// | step | meaning | next |
/// |---|---|---|
/// | `waiting` | the queue is another's | `granted`, `started`, `serving` |
/// | `serving` | the thread runs the block of another wait, and its own turn is skipped | `waiting` |
/// | `granted` | the private queue is the thread's, which runs the block | – |
/// | `started` | another thread runs the block: the main thread, or one that waits and holds the queue | `done` |
/// | `done` | the block has run | – |
///
/// Invariant: `step`, `block`, `served` and `wasPassedOver` are used only by `WaitGraph`, under its lock.
final class QueueWait: @unchecked Sendable {
    enum Step { case waiting, serving, granted, started, done }

    /// The queue that the thread waits for; its `outer` has the queues that the thread holds meanwhile.
    let target: HeldQueue
    let isForMainQueue: Bool
    var step = Step.waiting
    /// The block to run on the queue; nil once a thread has taken it to run it.
    var block: (() -> Void)?
    /// The wait whose block this thread must run, for a queue that this thread holds.
    var served: QueueWait?
    /// Whether the wait's turn came, and was skipped, while its thread served another wait.
    var wasPassedOver = false
    private let event = DispatchSemaphore(value: 0)

    init(for target: HeldQueue, isMain: Bool, _ block: @escaping () -> Void) {
        self.target = target
        isForMainQueue = isMain
        self.block = block
    }

    /// The queues that the thread holds while it waits.
    var held: HeldQueue? { target.outer }

    /// Makes the thread check the step of its wait.
    func wake() { event.signal() }

    /// Passes the private queue to the thread, unless another thread runs its block; returns whether the thread got the
    /// queue.
    func grant() -> Bool {
        guard WaitGraph.move(self, to: .granted) else { return false }
        wake()
        return true
    }

    /// Runs the block on the caller's thread, which has the queue, unless another thread runs it already.
    func runHere() { if WaitGraph.move(self, to: .started) { run(holding: target) } }

    /// Waits until the block has run, serving other waits meanwhile. Returns whether the thread got the private queue,
    /// which the caller must pass on. `lineUp` enqueues the wait on the queue.
    func waitForTurn(_ lineUp: () -> Void) -> Bool {
        lineUp()
        WaitGraph.add(self)
        while true {
            event.wait()
            switch WaitGraph.step(of: self) {
            case .waiting, .started: continue
            case .serving:
                if let other = WaitGraph.takeServed(by: self) { other.run(holding: other.target.served(by: held)) }
                if WaitGraph.resume(self) { lineUp() }
            case .granted:
                WaitGraph.takeBlock(of: self).map(target.holding)
                return true
            case .done: return false
            }
        }
    }

    /// Runs the block on the caller's thread and wakes the thread that waits for it.
    private func run(holding queue: HeldQueue) {
        WaitGraph.takeBlock(of: self).map(queue.holding)
        _ = WaitGraph.move(self, to: .done)
        wake()
    }
}
