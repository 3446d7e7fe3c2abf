import CoreDataStore

/// Values made of the objects that a request finds, iterated over in constant memory, on any thread.
///
/// The objects are read, and the values made, on the context's queue in batches; other blocks of the queue run in
/// between. Each iteration reads the state of the stores and the unsaved changes at its beginning.
///
/// ```swift
/// let request = NSFetchRequest<Customer>(entityName: "Customer")
/// for try await name in context.stream(request, { $0.name ?? "" }) {
///     print(name)
/// }
/// ```
public struct FetchedValues<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value

    private let context: NSManagedObjectContext
    private let request: Transferred<UntypedFetchRequest>
    private let batchSize: Int
    private let values: @Sendable ([NSManagedObject]) throws -> [Value]

    init(
        _ context: NSManagedObjectContext, request: UntypedFetchRequest, batchSize: Int,
        values: @escaping @Sendable ([NSManagedObject]) throws -> [Value]
    ) {
        self.context = context
        self.request = Transferred(request)
        self.batchSize = batchSize
        self.values = values
    }

    /// Begins an iteration; the stores are read at the first call of `next`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(context, session: StreamSession(context, request.value, batchSize: batchSize), values: values)
    }

    /// An iteration over the values; releasing it ends it.
    public struct Iterator: AsyncIteratorProtocol {
        private let context: NSManagedObjectContext
        private let session: StreamSession
        private let values: @Sendable ([NSManagedObject]) throws -> [Value]
        private var batch: ArraySlice<Value> = []

        init(
            _ context: NSManagedObjectContext, session: StreamSession,
            values: @escaping @Sendable ([NSManagedObject]) throws -> [Value]
        ) {
            self.context = context
            self.session = session
            self.values = values
        }

        /// The next value; nil at the end.
        ///
        /// - Throws: `CancellationError` if the task has been cancelled, which ends the iteration; what `fetch(_:)`
        ///   throws, and what making a value throws.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> Value? {
            if batch.isEmpty { batch = try await read()[...] }
            return batch.popFirst()
        }

        /// The next value; nil at the end. See `next(isolation:)`.
        public mutating func next() async throws -> Value? { try await next(isolation: nil) }

        private nonisolated(nonsending) func read() async throws -> [Value] {
            let (session, values) = (session, values)
            let outcome = await withTaskCancellationHandler {
                await context.perform { Swift.Result(catching: { try values(session.next()) }) }
            } onCancel: {
                session.interrupt()
            }
            if Task.isCancelled {
                await context.perform { session.close() }
                throw CancellationError()
            }
            return try outcome.get()
        }
    }
}

extension NSManagedObjectContext {
    /// Values made of the objects that a request finds, for iterating over them on any thread in constant memory.
    ///
    /// `transform` is called on the context's queue for each object; its result may leave the queue, but the object
    /// must not. Not in Apple's framework.
    public func stream<ResultType: NSFetchRequestResult, Value: Sendable>(
        _ request: NSFetchRequest<ResultType>, batchSize: Int = 1_000,
        _ transform: @escaping @Sendable (ResultType) throws -> Value
    ) -> FetchedValues<Value> {
        FetchedValues(self, request: request.untypedCopy(), batchSize: batchSize) { [unowned self] objects in
            try typed(objects).map(transform)
        }
    }
}
