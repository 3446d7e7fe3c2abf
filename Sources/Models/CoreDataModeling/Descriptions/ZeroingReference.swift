import CSwiftRuntime
import CoreDataFoundation
import Synchronization

/// A weak reference to an object that does not slow down the object's reference counting.
///
/// Swift's `weak` gives its object a side table that each retain and release uses from then on, at three times the cost.
/// Objects that every managed object retains, such as its entity's description, own a zeroing reference to themselves
/// instead. Safe from any thread.
///
/// Invariant: the pointer is that of an object that has not been freed, since the object's `deinit` empties the reference under
/// the lock; one whose `deinit` has begun is not returned (`swift_tryRetain` refuses).
@usableFromInline
package final class ZeroingReference<Object: AnyObject>: ZeroingPointer, @unchecked Sendable {
    /// The object; nil once its `deinit` has begun.
    @inlinable package var object: Object? {
        guard let pointer = retained() else { return nil }
        return Unmanaged<Object>.fromOpaque(pointer).takeRetainedValue()
    }

    /// Makes the reference that of an object, which calls `empty` in its `deinit`.
    package func point(to object: Object) { point(to: Unmanaged.passUnretained(object).toOpaque()) }
}

/// What a zeroing reference is whatever its object's class: code that depends on the class looks metadata up at every turn.
@usableFromInline
package class ZeroingPointer: @unchecked Sendable {
    private let pointer = Mutex<Pointer>(Pointer())

    private struct Pointer: @unchecked Sendable {
        var value: UnsafeMutableRawPointer?
    }

    package init() {}

    /// The object, with a reference that the caller owns; nil once it is going.
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
