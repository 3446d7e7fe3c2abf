import Dispatch
import CoreDataModeling

/// The queue that a context's work runs on: the main queue, or a private one.
final class ContextQueue: Sendable {
    private static let current = DispatchSpecificKey<ObjectIdentifier>()

    private let queue: DispatchQueue
    private let isMain: Bool

    init(isMain: Bool) {
        self.isMain = isMain
        queue = isMain ? .main : DispatchQueue(label: "CoreData.context")
        if !isMain { queue.setSpecific(key: Self.current, value: ObjectIdentifier(self)) }
    }

    /// Whether the caller runs on the queue.
    var isCurrent: Bool {
        isMain ? Thread.isMainThread : DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self)
    }

    func async(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }

    /// Runs a block on the queue and waits; at once when the caller is on it already.
    func sync<Result>(_ block: () throws -> Result) rethrows -> Result {
        isCurrent ? try block() : try queue.sync(execute: block)
    }
}

/// Carries a value that is not `Sendable` to the one place that takes it.
struct Transferred<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
