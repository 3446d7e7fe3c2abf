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
/// Begins with the call that makes it, and ends when the object, which it does not retain, is deleted or deallocated. When the
/// task that reads it is cancelled or the sequence is dropped, the observation ends: at once where the object knows its
/// queue, otherwise with the next change of the object. Values that are objects belong to the queue of their context.
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
    /// All changes that have not been read yet are kept, unless `bufferingPolicy` says how many of the oldest or newest.
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
                // The values go to the one reader, who keeps to the queue of the objects among them.
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

/// Ends what a registry's observers do not want any more, later and on its queue.
private struct RegistrySweep: @unchecked Sendable {
    // Sendable because the registry is only touched by work that the object's queue performs.
    weak var registry: KeyObserverRegistry?
    func perform() { registry?.dropUnwanted() }
}
