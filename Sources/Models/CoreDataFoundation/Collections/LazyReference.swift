import Synchronization

/// A reference that the first thread to store an instance sets for good, and that all threads read without a lock.
///
/// `AtomicLazyReference` does the same, but its code is not specialised for the class: looking up its metadata takes
/// longer than evaluating a predicate. The thread sanitizer, which does not see into the library, also reports reads
/// through `AtomicLazyReference` as races with the thread that stored the instance.
///
/// Invariant: `bits` is 0 or the address of an instance that this reference has retained.
@usableFromInline
package struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    @usableFromInline let bits = Atomic<UInt>(0)

    package init() {}

    @inlinable deinit {
        guard let pointer = UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)) else { return }
        Unmanaged<Instance>.fromOpaque(pointer).release()
    }

    /// The instance; nil until one has been stored.
    @inlinable @inline(__always) package func load() -> Instance? {
        guard let pointer = UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)) else { return nil }
        return Unmanaged<Instance>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Calls a block with the instance, without retaining it, and returns the result; nil if no instance is stored.
    @inlinable @inline(__always) package func lend<Answer>(_ body: (Instance) -> Answer?) -> Answer? {
        guard let pointer = UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)) else { return nil }
        return Unmanaged<Instance>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
    }

    /// Stores an instance unless one is stored already, and returns the stored one.
    package func storeIfNil(_ instance: Instance) -> Instance {
        let mine = Unmanaged.passRetained(instance)
        let (stored, former) = bits.compareExchange(
            expected: 0, desired: UInt(bitPattern: mine.toOpaque()), ordering: .acquiringAndReleasing)
        guard !stored, let pointer = UnsafeRawPointer(bitPattern: former) else { return instance }
        mine.release()
        return Unmanaged<Instance>.fromOpaque(pointer).takeUnretainedValue()
    }
}

/// A reference that any thread may replace or read without a lock. It does not retain: the owner of the instances must
/// keep them alive longer than this reference.
struct LentReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    private let bits = Atomic<UInt>(0)

    func store(_ instance: Instance) {
        bits.store(UInt(bitPattern: Unmanaged.passUnretained(instance).toOpaque()), ordering: .releasing)
    }

    /// Calls a block with the instance, without retaining it, and returns the result; nil if no instance is stored.
    @inline(__always) func lend<Answer>(_ body: (Instance) -> Answer?) -> Answer? {
        guard let pointer = UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)) else { return nil }
        return Unmanaged<Instance>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
    }
}
