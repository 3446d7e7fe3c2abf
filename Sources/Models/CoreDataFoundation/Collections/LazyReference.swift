import Synchronization

/// A reference that is set once, by whichever thread comes first, and read by all without a lock.
///
/// `AtomicLazyReference` does the same, but its code is not specialised for the class, and looking up its metadata takes
/// longer than evaluating a predicate; and the thread sanitizer, which does not see into the library, takes what a thread
/// reads through it for a race with the thread that stored it.
///
/// Invariant: unless `bits` is 0, it is a reference to an instance that this one has retained.
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

    /// What something says of the instance, which is lent without being counted; nil until one has been stored.
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

/// A reference that any thread replaces and all read without a lock, to instances that their owner keeps longer than this.
struct LentReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    private let bits = Atomic<UInt>(0)

    func store(_ instance: Instance) {
        bits.store(UInt(bitPattern: Unmanaged.passUnretained(instance).toOpaque()), ordering: .releasing)
    }

    /// What something says of the instance, which is not counted; nil until one has been stored.
    @inline(__always) func lend<Answer>(_ body: (Instance) -> Answer?) -> Answer? {
        guard let pointer = UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)) else { return nil }
        return Unmanaged<Instance>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
    }
}
