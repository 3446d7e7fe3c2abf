import Dispatch

/// A thread that waits until its block has run on a queue.
///
/// | step | meaning | next |
/// |---|---|---|
/// | `waiting` | the queue is another's | `granted`, `started`, `serving` |
/// | `serving` | the thread runs the block of another wait, and its own turn is skipped | `waiting` |
/// | `granted` | the private queue is the thread's, which runs the block | – |
/// | `started` | another thread runs the block: the main thread, or one that holds the queue and waits itself | `done` |
/// | `done` | the block has run | – |
///
/// Invariant: `step`, `block`, `served` and `wasPassedOver` are used only by `WaitGraph`, under its lock.
final class QueueWait: @unchecked Sendable {
    enum Step { case waiting, serving, granted, started, done }

    /// The queue, and those that the thread holds meanwhile.
    let target: HeldQueue
    let isForMainQueue: Bool
    var step = Step.waiting
    /// What runs on the queue; nil once it has run.
    var block: (() -> Void)?
    /// The wait whose block this thread is to run, on a queue that it holds.
    var served: QueueWait?
    /// Whether its turn came while the thread served another one.
    var wasPassedOver = false
    private let event = DispatchSemaphore(value: 0)

    init(for target: HeldQueue, isMain: Bool, _ block: @escaping () -> Void) {
        self.target = target
        isForMainQueue = isMain
        self.block = block
    }

    /// What the thread holds while it waits.
    var held: HeldQueue? { target.outer }

    /// Lets the thread look what has become of its wait.
    func wake() { event.signal() }

    /// Gives the private queue to the thread, unless its block has been taken over; whether the thread has the queue now.
    func grant() -> Bool {
        guard WaitGraph.move(self, to: .granted) else { return false }
        wake()
        return true
    }

    /// Runs the block on the caller's thread, which has the queue, unless it has been taken over.
    func runHere() { if WaitGraph.move(self, to: .started) { run(holding: target) } }

    /// Waits until the block has run, and serves others meanwhile; whether the thread was given the queue, which it then
    /// passes on. `lineUp` is to bring about the wait's turn.
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

    /// Runs the block on the caller's thread for another one.
    private func run(holding queue: HeldQueue) {
        WaitGraph.takeBlock(of: self).map(queue.holding)
        _ = WaitGraph.move(self, to: .done)
        wake()
    }
}
