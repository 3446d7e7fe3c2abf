import CoreDataStore

/// The objects that a request finds, iterated over in constant memory, on the context's queue.
///
/// Each iteration reads the state of the stores and the unsaved changes at its beginning, whatever is saved meanwhile.
/// Objects come with their values, not as faults; the context does not retain them. On the main actor, iterate over a
/// main-queue context with `for try await`, which lets other work of the actor run between the batches; inside
/// `perform`, which cannot await, use `enumerateObjects(_:)` or `next()` of an iterator.
///
/// ```swift
/// let request = NSFetchRequest<Article>(entityName: "Article")
/// try await context.perform {
///     var total: Int64 = 0
///     try context.objects(of: request).enumerateObjects { total += $0.price }
///     print(total)
/// }
/// ```
public struct FetchedObjects<ResultType: NSFetchRequestResult>: AsyncSequence {
    public typealias Element = ResultType

    private let context: NSManagedObjectContext
    private let request: UntypedFetchRequest
    private let batchSize: Int

    package init(_ context: NSManagedObjectContext, _ request: UntypedFetchRequest, batchSize: Int) {
        self.context = context
        self.request = request
        self.batchSize = batchSize
    }

    /// Begins an iteration; the stores are read at the first call of `next`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(context, StreamSession(context, request, batchSize: batchSize))
    }

    /// Iterates over all objects without suspending.
    ///
    /// - Throws: what `body` throws, and what `fetch(_:)` throws.
    public func enumerateObjects(_ body: (ResultType) throws -> Void) throws {
        var iterator = makeAsyncIterator()
        while let object = try iterator.next() { try body(object) }
    }

    /// An iteration over the objects; releasing it ends it.
    public struct Iterator: AsyncIteratorProtocol {
        private let context: NSManagedObjectContext
        private let session: StreamSession
        private var batch: [ResultType] = []
        private var position = 0

        init(_ context: NSManagedObjectContext, _ session: StreamSession) {
            self.context = context
            self.session = session
        }

        /// The next object; nil at the end.
        ///
        /// - Throws: what `fetch(_:)` throws.
        public mutating func next() throws -> ResultType? { try nextHere() }

        private mutating func nextHere() throws -> ResultType? {
            if position == batch.count { try turn() }
            guard position < batch.count else { return nil }
            defer { position += 1 }
            return batch[position]
        }

        /// The next object; nil at the end.
        ///
        /// - Throws: `CancellationError` if the task has been cancelled, which ends the iteration; what `fetch(_:)`
        ///   throws.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> ResultType? {
            if Task.isCancelled {
                session.close()
                batch = []
                position = 0
                throw CancellationError()
            }
            if position == batch.count { await Task.yield() }
            return try nextHere()
        }

        private mutating func turn() throws {
            batch = []
            position = 0
            batch = try context.typed(session.next())
        }
    }
}

@available(*, unavailable)
extension FetchedObjects: Sendable {}

extension NSManagedObjectContext {
    /// The objects that a request finds, for iterating over them in constant memory; see `FetchedObjects`.
    ///
    /// The iteration retains at most `batchSize` objects. Not in Apple's framework.
    public func objects<ResultType: NSFetchRequestResult>(
        of request: NSFetchRequest<ResultType>, batchSize: Int = 1_000
    ) -> FetchedObjects<ResultType> {
        FetchedObjects(self, request.untypedCopy(), batchSize: batchSize)
    }
}
