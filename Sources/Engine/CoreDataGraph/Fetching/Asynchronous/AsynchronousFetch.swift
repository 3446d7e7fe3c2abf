import CoreDataStore
import Dispatch

/// One fetch that reads the stores outside of the context's queue, and makes the objects on that queue.
///
/// | step | where |
/// |---|---|
/// | `start`: collects the request and the context's unsaved changes | the context's queue |
/// | `read`: reads the rows, all in one snapshot of a store | the coordinator's `readingQueue` |
/// | `makeObjects`: makes the objects of a piece, then enqueues itself for the next piece | the context's queue |
/// | `finish`: prefetches and calls the completion | the context's queue |
///
/// Invariant: each step ends before the next one begins, so no two threads use the fetch at once.
final class AsynchronousFetch<ResultType: NSFetchRequestResult>: @unchecked Sendable {
    typealias Outcome = Result<[ResultType], any Error>

    /// How many objects are made before other blocks of the queue may run.
    private static var objectsAtOnce: Int { 1_000 }

    private let request: NSFetchRequest<ResultType>
    private let context: NSManagedObjectContext
    private let execution: FetchExecution
    private let progress: Progress
    private let completion: (Outcome) -> Void
    private let running = RunningSources()
    private var changes = PendingChanges()
    private var answerers: [any FetchAnswering] = []
    private var stream: RecordStream?
    private var objects: [NSManagedObject] = []

    init(
        _ request: NSFetchRequest<ResultType>, in context: NSManagedObjectContext, _ progress: Progress,
        completion: @escaping (Outcome) -> Void
    ) throws {
        self.request = request
        self.context = context
        execution = try FetchExecution(request, in: context)
        self.progress = progress
        self.completion = completion
    }

    func start() throws {
        _ = try execution.prefetchPlan()
        progress.cancellationHandler = { [running] in running.interrupt() }
        guard [.managedObjectResultType, .managedObjectIDResultType].contains(request.resultType) else {
            // The stores compute numbers and dictionaries, so no objects must be made.
            return context.perform { self.finish { try self.context.fetch(self.request) } }
        }
        changes = try execution.pendingChanges()
        answerers = try context.fetchDataSource.answerers(of: execution)
        context.coordinator.readingQueue.async { self.read() }
    }

    // MARK: Reading

    private func read() {
        let isMerged = execution.needsMerging(changes, answerers)
        let window = FetchWindow(request)
        let limit = isMerged ? window.reach(beside: changes.places.count) : request.fetchLimit
        let found = Transferred(
            Result {
                try answerers.map { try records(of: $0, limit: limit, offset: isMerged ? 0 : request.fetchOffset) }
            })
        context.perform { self.begin(found.value, isMerged ? window : nil) }
    }

    private func records(of answerer: any FetchAnswering, limit: Int, offset: Int) throws -> HeldRecords {
        try checkCancellation()
        let source = try answerer.source(limit: limit, offset: offset, for: running)
        running.add(source)
        var pieces: [RecordPiece] = []
        while case let piece = try source.next(Self.objectsAtOnce), piece.count > 0 {
            pieces.append(piece)
            progress.completedUnitCount += Int64(piece.count)
            try checkCancellation()
        }
        return HeldRecords(pieces)
    }

    private func checkCancellation() throws {
        if progress.isCancelled { throw CocoaError(.userCancelled) }
    }

    // MARK: On the context's queue

    private func begin(_ found: Result<[HeldRecords], any Error>, _ window: FetchWindow?) {
        do {
            stream = try RecordStream(execution, found.get(), changes: changes, window: window)
            makeObjects()
        } catch {
            finish { throw error }
        }
    }

    private func makeObjects() {
        do {
            try checkCancellation()
            guard let piece = try stream?.next(Self.objectsAtOnce), piece.count > 0 else { return finish(results) }
            let maker = RowMaterializer(
                context: context, asFaults: false, refreshes: request.shouldRefreshRefetchedObjects)
            objects += maker.objects(for: piece)
            context.perform { self.makeObjects() }
        } catch {
            finish { throw error }
        }
    }

    private func results() throws -> [ResultType] {
        if request.resultType == .managedObjectIDResultType {
            return objects.compactMap { NSManagedObjectID(keepingRowOf: $0) as? ResultType }
        }
        if let plan = try execution.prefetchPlan() {
            try Prefetching(context: context).run(plan, for: objects)
        }
        return try context.typed(objects)
    }

    private func finish(_ results: () throws -> [ResultType]) {
        let outcome = Result(catching: results).mapError { progress.isCancelled ? CocoaError(.userCancelled) : $0 }
        progress.cancellationHandler = nil
        running.removeAll()
        if case .success(let results) = outcome {
            progress.totalUnitCount = Int64(results.count)
            progress.completedUnitCount = Int64(results.count)
        }
        (objects, stream, changes) = ([], nil, PendingChanges())
        completion(outcome)
    }
}
