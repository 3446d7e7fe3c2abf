import CoreDataStore
import Synchronization

/// Fetches without blocking the context's queue while the stores are read.
///
/// Pass it to `execute(_:)` of a context, which returns at once with the future result.
///
/// ```swift
/// let orders = NSFetchRequest<Order>(entityName: "Order")
/// let request = NSAsynchronousFetchRequest(fetchRequest: orders) { result in
///     if let error = result.operationError { print("not fetched: \(error)") }
///     print(result.finalResult?.count ?? 0, "orders")
/// }
/// try context.execute(request)
/// ```
open class NSAsynchronousFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
    /// Called on the context's queue with the result.
    public typealias Completion = (NSAsynchronousFetchResult<ResultType>) -> Void

    /// The request to execute; it is copied when this request is executed.
    public let fetchRequest: NSFetchRequest<ResultType>

    /// Called on the context's queue when the request has succeeded, failed or been cancelled.
    public let completionBlock: Completion?

    /// How many results are expected, for the progress; 0 if that is not known.
    open var estimatedResultCount = 0

    /// Makes a request that executes `request` asynchronously and then calls `blk`.
    public init(fetchRequest request: NSFetchRequest<ResultType>, completionBlock blk: Completion? = nil) {
        fetchRequest = request
        completionBlock = blk
        super.init()
    }

    /// A copy with the same settings.
    override open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSAsynchronousFetchRequest(fetchRequest: fetchRequest, completionBlock: completionBlock)
        copy.affectedStores = affectedStores
        copy.estimatedResultCount = estimatedResultCount
        return copy
    }
}

/// A request that continues after `execute(_:)` has returned.
protocol AsynchronousExecuting {
    /// Starts the request and returns its future result. Called on the context's queue.
    func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreAsynchronousResult
}

extension NSAsynchronousFetchRequest: AsynchronousExecuting {
    func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreAsynchronousResult {
        let progress = Progress(totalUnitCount: estimatedResultCount > 0 ? Int64(estimatedResultCount) : -1)
        let result = NSAsynchronousFetchResult(self, context: context, progress: progress)
        guard let request = fetchRequest.copy() as? NSFetchRequest<ResultType> else { return result }
        if let affectedStores { request.affectedStores = affectedStores }
        let completion = completionBlock
        try AsynchronousFetch(request, in: context, progress) { outcome in
            result.end(outcome)
            completion?(result)
        }.start()
        return result
    }
}

/// The future result of an asynchronous fetch.
open class NSAsynchronousFetchResult<ResultType: NSFetchRequestResult>: NSPersistentStoreAsynchronousResult,
    @unchecked Sendable
{
    /// The request that was executed.
    public let fetchRequest: NSAsynchronousFetchRequest<ResultType>

    private let found = Mutex<Transferred<[ResultType]?>>(Transferred(nil))

    init(
        _ request: NSAsynchronousFetchRequest<ResultType>, context: NSManagedObjectContext, progress: Progress
    ) {
        fetchRequest = request
        super.init(context, progress)
    }

    /// The results of the fetch; nil before the completion block is called, and if the request failed.
    ///
    /// Objects may be used on the context's queue only.
    public var finalResult: [ResultType]? { found.withLock { $0 }.value }

    fileprivate func end(_ outcome: Result<[ResultType], any Error>) {
        switch outcome {
        case .success(let results):
            let results = Transferred<[ResultType]?>(results)
            found.withLock { $0 = results }
        case .failure(let error): operationError = error
        }
    }
}
