import Synchronization

/// One change of a property, as a sequence of changes reports it.
public struct KeyChange {
    /// The requested key path.
    public let key: String
    /// The value before.
    public let old: Any?
    /// The value after.
    public let new: Any?
}

/// The changes of an object's properties, in the order in which they happen.
///
/// Observation starts with the call that makes the sequence and ends when the object is deleted or deallocated; the
/// sequence does not retain the object. If the reading task is cancelled or the sequence is released, observation ends
/// at once if the object has an `observationQueue`, otherwise at the object's next change. Values that are objects must
/// be used on the queue of their context.
///
/// Sendable because it is made on that queue and read by a task.
public struct KeyChanges: AsyncSequence, @unchecked Sendable {
    /// Never throws.
    public typealias Failure = Never

    let stream: AsyncStream<KeyChange>

    /// Reads the changes one by one.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<KeyChange>.Iterator

        /// Waits for the next change; nil when there will be none.
        public mutating func next() async -> KeyChange? { await base.next() }

        /// Waits for the next change, on the caller's actor; nil when there will be none.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> KeyChange? {
            await base.next(isolation: actor)
        }
    }

    /// A reader of the changes; a sequence has one reader.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }
}

extension KeyValueObserving {
    /// The changes of the values at some key paths, from now on.
    ///
    /// All changes that have not been read yet are buffered, unless `bufferingPolicy` limits them to the oldest or
    /// newest.
    public func changes(
        for keyPaths: [String], bufferingPolicy: AsyncStream<KeyChange>.Continuation.BufferingPolicy = .unbounded
    ) -> KeyChanges {
        let (stream, continuation) = AsyncStream.makeStream(of: KeyChange.self, bufferingPolicy: bufferingPolicy)
        guard !keyPaths.isEmpty else {
            continuation.finish()
            return KeyChanges(stream: stream)
        }
        let isOver = SharedFlag()
        let registry = madeKeyObservers
        continuation.onTermination = Self.termination(
            isOver: isOver, abandonment: registry.abandonment, sweep: RegistrySweep(registry: registry),
            queue: observationQueue)
        for keyPath in keyPaths {
            let observation = KeyObservation(of: keyPath, on: self, options: [.old, .new]) { object in
                object.observedValue(atPath: keyPath)
            } deliver: { _, change in
                // The only reader gets the values, and must use objects among them on their queue.
                nonisolated(unsafe) let change = KeyChange(
                    key: keyPath, old: change.old?.value, new: change.new?.value)
                continuation.yield(change)
            }
            observation.isWanted = { !isOver.isRaised }
            observation.ended = { continuation.finish() }
            observation.start()
        }
        return KeyChanges(stream: stream)
    }

    private static func termination(
        isOver: SharedFlag, abandonment: Abandonment, sweep: RegistrySweep,
        queue: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
    ) -> @Sendable (AsyncStream<KeyChange>.Continuation.Termination) -> Void {
        { _ in
            isOver.raise()
            abandonment.raise()
            queue? { sweep.perform() }
        }
    }
}

/// A flag that is set once, on any thread.
private final class SharedFlag: Sendable {
    private let flag = Atomic(false)
    var isRaised: Bool { flag.load(ordering: .acquiring) }
    func raise() { flag.store(true, ordering: .releasing) }
}

/// Cancels, on the object's queue, the observations of a registry that are no longer wanted.
private struct RegistrySweep: @unchecked Sendable {
    // Sendable because the registry is only touched by work that the object's queue performs.
    weak var registry: KeyObserverRegistry?
    func perform() { registry?.dropUnwanted() }
}
