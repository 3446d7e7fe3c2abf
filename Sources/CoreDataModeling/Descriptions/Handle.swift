import CSwiftRuntime
import CoreDataFoundation
import Synchronization

/// A weak reference to an object, which leaves the object's own counts as fast as they were.
///
/// Swift's `weak` gives its object a side table through which each retain and release goes from then on, at three times the
/// cost. What is retained for every managed object, such as its entity's description, is led to by its handle instead, which
/// it owns. Safe from any thread.
///
/// Invariant: `pointer` is that of an object that has not been freed, since the object's `deinit` empties the handle under
/// `lock`; one whose `deinit` has begun is not handed out (`swift_tryRetain` refuses).
package final class Handle<Object: AnyObject>: @unchecked Sendable {
    private let lock = Mutex(())
    private var pointer: UnsafeMutableRawPointer?

    package init() {}

    /// The object; nil once it is going.
    package var object: Object? {
        lock.withLock { _ in
            pointer.flatMap { swift_tryRetain($0) }.map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
        }
    }

    /// Makes the handle that of an object, which calls `empty` in its `deinit`.
    package func point(to object: Object) {
        lock.withLock { _ in pointer = Unmanaged.passUnretained(object).toOpaque() }
    }

    /// Called by the object when it goes.
    package func empty() {
        lock.withLock { _ in pointer = nil }
    }
}
