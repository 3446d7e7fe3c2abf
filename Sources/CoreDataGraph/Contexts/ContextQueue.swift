import CoreDataModeling
import Dispatch

/// The queue that a context's work runs on: the main queue, or a private one.
final class ContextQueue: Sendable {
    private static let current = DispatchSpecificKey<ObjectIdentifier>()
    /// Marks the main queue, which on some platforms is not served by the main thread once `async` code runs.
    private static let main: ObjectIdentifier = {
        let mark = ObjectIdentifier(ContextQueue.self)
        DispatchQueue.main.setSpecific(key: current, value: mark)
        return mark
    }()

    private let queue: DispatchQueue
    private let isMain: Bool

    init(isMain: Bool) {
        self.isMain = isMain
        queue = isMain ? .main : DispatchQueue(label: "CoreData.context")
        if isMain {
            _ = Self.main
        } else {
            queue.setSpecific(key: Self.current, value: ObjectIdentifier(self))
        }
    }

    /// Whether the caller runs on the queue.
    var isCurrent: Bool {
        let mark = DispatchQueue.getSpecific(key: Self.current)
        return isMain ? mark == Self.main || Thread.isMainThread : mark == ObjectIdentifier(self)
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
