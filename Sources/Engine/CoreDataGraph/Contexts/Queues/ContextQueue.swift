import CoreDataStore
import Dispatch
import Synchronization

/// The queue on which the work of a context or coordinator runs: the main queue, or a private one.
///
/// A caller that waits for a private queue runs the block on its own thread; a block for the main queue runs on the
/// main thread. A waiting thread runs the blocks of others that its own block waits for; see `WaitGraph`.
final class ContextQueue: Sendable {
    private static let served = DispatchSpecificKey<Bool>()
    /// Marks the main queue, whose blocks do not run on the main thread on some platforms once `async` code runs.
    private static let mainMark: ObjectIdentifier = {
        DispatchQueue.main.setSpecific(key: served, value: true)
        return ObjectIdentifier(ContextQueue.self)
    }()

    /// The recorded uses of the queue's objects; nil unless contexts check their queues.
    let watch: QueueWatch?
    /// Acquired only by `lock()` of the context.
    let explicitLock = NSRecursiveLock()
    /// The number of the context in recordings; 0 until an event of the context has been recorded.
    let instrumentNumber = Atomic<UInt32>(0)
    /// The name of the queue in debuggers.
    let label: String
    private let queue: DispatchQueue
    /// The order of a private queue's blocks; nil for the main queue, which orders its own.
    private let order: SerialOrder?

    init(isMain: Bool, label: String = "CoreData.context", isWatched: Bool = true) {
        queue = isMain ? .main : DispatchQueue(label: label)
        self.label = isMain ? queue.label : label
        order = isMain ? nil : SerialOrder(on: queue)
        watch = isWatched && ConcurrencyDebug.isOn ? QueueWatch() : nil
        _ = Self.mainMark
    }

    /// Whether it is the main queue.
    var isMain: Bool { order == nil }

    /// Identifies the queue among those that a thread holds.
    var mark: ObjectIdentifier { order == nil ? Self.mainMark : ObjectIdentifier(self) }

    /// Whether the caller runs on the queue, or in a block that a block on the queue waits for.
    var isCurrent: Bool {
        order == nil && Self.isOnMain || HeldQueue.innermost?.includes(mark) == true
    }

    private static var isOnMain: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: served) == true }

    func async(_ block: @escaping @Sendable () -> Void) {
        let work: @Sendable () -> Void = { HeldQueue(self.mark, within: nil).holding(block) }
        if let order { order.add(work) } else { queue.async(execute: work) }
    }

    /// Runs a block on the queue and waits for its end; runs it at once if the caller is on the queue.
    func sync<Result>(_ block: () -> Result) -> Result { isCurrent ? block() : wait(.call, block) }

    /// Like `sync`, in the middle of work on the queues that the caller holds: no other block may run on these
    /// meanwhile.
    func ask<Result>(_ question: () -> Result) -> Result { isCurrent ? question() : wait(.question, question) }

    private func wait<Result>(_ kind: HeldQueue.Kind, _ block: () -> Result) -> Result {
        let held = HeldQueue(mark, within: Self.heldByCaller, kind)
        if let order, order.takeIfFree() {
            defer { order.pass() }
            return held.holding(block)
        }
        var result: Result?
        func run() { result = block() }
        withoutActuallyEscaping(run) { run in
            let wait = QueueWait(for: held, isMain: order == nil, run)
            let hasQueue = wait.waitForTurn {
                if let order { order.add(wait) } else { queue.async { wait.runHere() } }
            }
            if hasQueue { order?.pass() }
        }
        guard let result else { stop("A block that was waited for has not run.") }
        return result
    }

    /// The queues that the caller's thread holds, including the main queue, whose blocks are not all started by this
    /// type.
    private static var heldByCaller: HeldQueue? {
        let innermost = HeldQueue.innermost
        guard isOnMain, innermost?.includes(mainMark) != true else { return innermost }
        return HeldQueue(mainMark, within: innermost)
    }
}

/// Runs asynchronous fetches on a concurrent queue: at most `limit` at once, the others afterwards in their order.
///
/// A fetch blocks its thread while it waits for the disk or a server. On the global queue, many fetches would take the
/// threads of other work, so each coordinator has a queue with few threads.
final class ReadingQueue: Sendable {
    private struct State: @unchecked Sendable {
        var running = 0
        var waiting: [() -> Void] = []
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "CoreData.asynchronous-fetches", attributes: .concurrent)
    private let limit: Int

    /// - Parameter limit: how many blocks run at once; 1 if it is less than that.
    init(limit: Int) { self.limit = max(1, limit) }

    /// Runs a block asynchronously.
    func async(_ block: @escaping @Sendable () -> Void) {
        let starts = state.withLock { state in
            guard state.running < limit else {
                state.waiting.append(block)
                return false
            }
            state.running += 1
            return true
        }
        if starts { queue.async { self.run(block) } }
    }

    private func run(_ block: () -> Void) {
        block()
        let next: Transferred<(() -> Void)?> = state.withLock { state in
            guard state.waiting.isEmpty else { return Transferred(state.waiting.removeFirst()) }
            state.running -= 1
            return Transferred(nil)
        }
        guard let waiting = next.value else { return }
        let block = Transferred(waiting)
        queue.async { self.run(block.value) }
    }
}

/// Passes a value that is not `Sendable` to the one place that uses it.
struct Transferred<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
