import CoreDataStore

/// The result of a fetch that creates its objects on demand and retains only a few of them.
///
/// It has the keys of all records in their order, eight bytes each, and retains the objects of the last few batches; an
/// object without other references is released with its batch. Like the objects, it is used on the context's queue
/// only. Later saves do not change the number or the order of its elements; an object whose record has been deleted is
/// an inaccessible fault.
public final class LazyFetchResult<ResultType: NSFetchRequestResult>: RandomAccessCollection {
    /// The number of retained batches.
    static var batchesHeld: Int { 4 }

    private let context: NSManagedObjectContext
    private let found: FoundList
    private let reader: BatchReader
    private let batchSize: Int
    private var ring: [(number: Int, objects: [ResultType])] = []

    init(_ execution: FetchExecution) throws {
        let plan = try execution.prefetchPlan()
        context = execution.context
        found = try execution.foundListOfMany()
        reader = BatchReader(context: context, request: execution.request, prefetch: plan)
        let wanted = execution.request.fetchBatchSize
        batchSize = wanted > 0 ? wanted : FaultBatches.rowsAtOnce
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { found.list.count }

    /// The object at an index, read together with its batch.
    ///
    /// A batch that cannot be read has faults, and the context's `dataErrorHandler` gets the error. Stops the program
    /// if the object's class is not `ResultType`.
    public subscript(position: Int) -> ResultType {
        context.checkQueue("a fetched result")
        let number = position / batchSize
        if let held = ring.last(where: { $0.number == number }) { return held.objects[position % batchSize] }
        let objects = batch(number)
        if ring.count == Self.batchesHeld { ring.removeFirst() }
        ring.append((number, objects))
        return objects[position % batchSize]
    }

    /// The identifier of the record at an index; makes no object and reads no store.
    public func objectID(at position: Int) -> NSManagedObjectID {
        if let object = found.unsaved[position] { return object.objectID }
        let address = found.list[position]
        return NSManagedObjectID(binding: address.binding, key: address.key, isTemporary: address.binding.isTemporary)
    }

    private func batch(_ number: Int) -> [ResultType] {
        let start = number * batchSize
        let objects = reader.objects(found, start..<Swift.min(start + batchSize, found.list.count))
        do {
            return try context.typed(objects)
        } catch {
            stop(error.localizedDescription)
        }
    }
}

extension NSManagedObjectContext {
    /// Fetches objects that are created on demand; see `LazyFetchResult`.
    ///
    /// A batch has `fetchBatchSize` objects, or 100 if that is 0. The result includes the unsaved changes at the time
    /// of the call. Not in Apple's framework, where `fetch(_:)` with a batch size returns such a list; here the array
    /// of `fetch(_:)` retains all objects, as faults whose values are read in batches.
    /// - Throws: what `fetch(_:)` throws; `NSPersistentStoreUnsupportedRequestTypeError` for a result type other than
    ///   objects.
    public func fetchLazily<ResultType: NSFetchRequestResult>(
        _ request: NSFetchRequest<ResultType>
    ) throws -> LazyFetchResult<ResultType> {
        let execution = try FetchExecution(request.untypedCopy(), in: self)
        try execution.requireObjects()
        return try LazyFetchResult(execution)
    }
}

extension FetchExecution {
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` for a result type other than objects.
    func requireObjects() throws {
        guard request.resultType == .managedObjectResultType else {
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                "A fetch of this result type cannot be read a batch at a time.", hint: "Use fetch(_:).")
        }
    }
}

extension UntypedFetchRequest {
    /// A copy of the request, which its later changes do not affect.
    func untypedCopy() -> UntypedFetchRequest {
        let copy = UntypedFetchRequest()
        copyValues(to: copy)
        return copy
    }
}
