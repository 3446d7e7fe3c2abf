import CoreDataStore

/// One reading of a request's result in batches. Used on the context's queue; may be interrupted and released on any
/// thread.
final class StreamSession: @unchecked Sendable {
    private let context: NSManagedObjectContext
    private let request: UntypedFetchRequest
    private let batchSize: Int
    private let running = RunningSources()
    private var stream: RecordStream?
    private var prefetch: PrefetchPlan?
    private var isAtEnd = false

    init(_ context: NSManagedObjectContext, _ request: UntypedFetchRequest, batchSize: Int) {
        self.context = context
        self.request = request
        self.batchSize = max(1, batchSize)
    }

    /// The next objects, with their values; empty at the end, when the stores are released.
    ///
    /// - Throws: what the fetch throws; the reading then ends.
    func next() throws -> [NSManagedObject] {
        context.checkQueue("a stream of objects")
        guard !isAtEnd else { return [] }
        do {
            let objects = try read()
            if objects.isEmpty { close() }
            return objects
        } catch {
            close()
            throw error
        }
    }

    /// Interrupts a reading that is running on the context's queue.
    func interrupt() { running.interrupt() }

    /// Ends the reading and releases the stores; called on the context's queue.
    func close() {
        isAtEnd = true
        stream = nil
        running.removeAll()
    }

    private func read() throws -> [NSManagedObject] {
        let stream = try stream ?? begin()
        let piece = try stream.next(batchSize)
        let maker = RowMaterializer(
            context: context, asFaults: false, refreshes: request.shouldRefreshRefetchedObjects)
        let objects = maker.objects(for: piece)
        if let prefetch { try Prefetching(context: context).run(prefetch, for: objects) }
        return objects
    }

    private func begin() throws -> RecordStream {
        let execution = try FetchExecution(request, in: context)
        try execution.requireObjects()
        prefetch = try execution.prefetchPlan()
        let begun = try execution.stream(
            execution.pendingChanges(), context.fetchDataSource.answerers(of: execution), for: running)
        stream = begun
        running.add(begun)
        return begun
    }
}
