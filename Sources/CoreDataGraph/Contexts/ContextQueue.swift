import CoreDataModeling
import Dispatch

/// The queue that the work of a context or coordinator runs on: the main queue, or a private one.
final class ContextQueue: Sendable {
    private static let served = DispatchSpecificKey<Bool>()
    /// Marks the main queue, which on some platforms is not served by the main thread once `async` code runs.
    private static let mainMark: ObjectIdentifier = {
        DispatchQueue.main.setSpecific(key: served, value: true)
        return ObjectIdentifier(ContextQueue.self)
    }()

    /// What was seen of uses of the queue's objects; nil unless misuse is to be found.
    let watch: QueueWatch?
    /// Taken by `lock()` of the context, and by nobody else.
    let explicitLock = NSRecursiveLock()
    private let queue: DispatchQueue
    private let isMain: Bool

    init(isMain: Bool, label: String = "CoreData.context") {
        self.isMain = isMain
        queue = isMain ? .main : DispatchQueue(label: label)
        watch = ConcurrencyDebug.isOn ? QueueWatch() : nil
        _ = Self.mainMark
    }

    /// What the queue is known by among those that a thread holds.
    var mark: ObjectIdentifier { isMain ? Self.mainMark : ObjectIdentifier(self) }

    /// The name by which debuggers know the queue.
    var label: String { queue.label }

    /// Whether the caller runs on the queue, or in a block that one on the queue waits for.
    var isCurrent: Bool {
        isMain && Self.isOnMain || HeldQueue.innermost?.includes(mark) == true
    }

    private static var isOnMain: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: served) == true }

    func async(_ block: @escaping @Sendable () -> Void) {
        queue.async { HeldQueue(self.mark, within: nil).holding(block) }
    }

    /// Runs a block on the queue and waits; at once when the caller is on it already.
    func sync<Result>(_ block: () -> Result) -> Result {
        if isCurrent { return block() }
        let held = HeldQueue(mark, within: Self.heldByCaller)
        return queue.sync { held.holding(block) }
    }

    /// The queues that wait for a block which the caller waits for; the main queue's own work is not told of to us.
    private static var heldByCaller: HeldQueue? {
        let innermost = HeldQueue.innermost
        guard isOnMain, innermost?.includes(mainMark) != true else { return innermost }
        return HeldQueue(mainMark, within: innermost)
    }
}

/// Carries a value that is not `Sendable` to the one place that takes it.
struct Transferred<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
