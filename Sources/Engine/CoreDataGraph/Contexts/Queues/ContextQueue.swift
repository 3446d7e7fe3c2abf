import CoreDataStore
import Dispatch
import Synchronization

/// The queue that the work of a context or coordinator runs on: the main queue, or a private one.
///
/// A caller that waits for a private queue runs the block on its own thread, one that waits for the main queue on the main thread.
/// A thread that waits serves the blocks that it waits for; see `WaitGraph`.
final class ContextQueue: Sendable {
    private static let served = DispatchSpecificKey<Bool>()
    /// Marks the main queue, which on some platforms is not served by the main thread once `async` code runs.
    private static let mainMark: ObjectIdentifier = {
        DispatchQueue.main.setSpecific(key: served, value: true)
        return ObjectIdentifier(ContextQueue.self)
    }()

    /// What was seen of uses of the queue's objects; nil unless misuse is to be found.
    let watch: QueueWatch?
    /// Acquired only by `lock()` of the context.
    let explicitLock = NSRecursiveLock()
    /// What recordings know the context by; 0 until one has met it.
    let instrumentNumber = Atomic<UInt32>(0)
    /// The name by which debuggers know the queue.
    let label: String
    private let queue: DispatchQueue
    /// The order of a private queue's blocks; the main queue has its own.
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

    /// What the queue is known by among those that a thread holds.
    var mark: ObjectIdentifier { order == nil ? Self.mainMark : ObjectIdentifier(self) }

    /// Whether the caller runs on the queue, or in a block that one on the queue waits for.
    var isCurrent: Bool {
        order == nil && Self.isOnMain || HeldQueue.innermost?.includes(mark) == true
    }

    private static var isOnMain: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: served) == true }

    func async(_ block: @escaping @Sendable () -> Void) {
        let work: @Sendable () -> Void = { HeldQueue(self.mark, within: nil).holding(block) }
        if let order { order.add(work) } else { queue.async(execute: work) }
    }

    /// Runs a block on the queue and waits; at once when the caller is on it already.
    func sync<Result>(_ block: () -> Result) -> Result { isCurrent ? block() : wait(.call, block) }

    /// The same in the middle of work on the queues that the caller holds, which run no other block meanwhile.
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

    /// The queues that wait for a block which the caller waits for; the main queue's own work is not reported to us.
    private static var heldByCaller: HeldQueue? {
        let innermost = HeldQueue.innermost
        guard isOnMain, innermost?.includes(mainMark) != true else { return innermost }
        return HeldQueue(mainMark, within: innermost)
    }
}

/// Where asynchronous fetches read: some at once, the others in their order after them.
///
/// A fetch holds its thread while it waits for the disk or a server. On the global queue, many fetches would take every thread
/// from other work; those of one coordinator have a few.
final class ReadingQueue: Sendable {
    private struct State: @unchecked Sendable {
        var running = 0
        var waiting: [() -> Void] = []
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "CoreData.asynchronous-fetches", attributes: .concurrent)
    private let limit: Int

    /// - Parameter limit: how many blocks run at once; at least one.
    init(limit: Int) { self.limit = max(1, limit) }

    /// Runs a block later.
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

/// Carries a value that is not `Sendable` to the one place that takes it.
struct Transferred<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
