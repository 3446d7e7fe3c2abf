import CSwiftRuntime
import CoreDataFoundation
import Synchronization

/// A weak reference to an object that does not slow down the object's reference counting.
///
/// Swift's `weak` gives its object a side table, which each retain and release then uses, at three times the cost.
/// Objects that every managed object retains, such as its entity's description, therefore own a zeroing reference to
/// themselves. It may be used on any thread.
///
/// Invariant: the pointer is nil or that of an object that has not been freed, since the object's `deinit` calls
/// `empty()`, which takes the lock; an object whose `deinit` has begun is not returned (`swift_tryRetain` refuses).
@usableFromInline
package final class ZeroingReference<Object: AnyObject>: ZeroingPointer, @unchecked Sendable {
    /// The object; nil once its `deinit` has begun.
    @inlinable package var object: Object? {
        guard let pointer = retained() else { return nil }
        return Unmanaged<Object>.fromOpaque(pointer).takeRetainedValue()
    }

    /// Sets the object, which must call `empty()` in its `deinit`.
    package func point(to object: Object) { point(to: Unmanaged.passUnretained(object).toOpaque()) }
}

/// The part of a zeroing reference that does not depend on the object's class: generic code looks up metadata at each
/// use.
@usableFromInline
package class ZeroingPointer: @unchecked Sendable {
    private let pointer = Mutex<Pointer>(Pointer())

    private struct Pointer: @unchecked Sendable {
        var value: UnsafeMutableRawPointer?
    }

    package init() {}

    /// The object, retained for the caller; nil once its `deinit` has begun.
    @usableFromInline final func retained() -> UnsafeMutableRawPointer? {
        pointer.withLock { pointer in pointer.value.flatMap { swift_tryRetain($0) } }
    }

    fileprivate final func point(to object: UnsafeMutableRawPointer) {
        pointer.withLock { $0.value = object }
    }

    /// Called by the object when it is deallocated.
    package final func empty() {
        pointer.withLock { $0.value = nil }
    }
}
