import CoreData

/// What a block does with the stores of a coordinator.
extension NSPersistentStoreCoordinator {
    /// Runs a block and returns what was done with the coordinator's stores, on any thread.
    ///
    /// Stores are distinguished by the names of their files: tests that run in parallel need stores with different names,
    /// as those of `TestStack` have. While blocks run, the recorder is the process's `CoreDataInstruments.spanHandler`;
    /// a handler that was set before still receives the spans.
    public func activity<Result>(of body: () throws -> Result) rethrows -> (activity: StoreActivity, result: Result) {
        let number = ActivityRecorder.shared.begin(recordedNames)
        var activity = StoreActivity()
        let result: Result
        do {
            defer { activity = ActivityRecorder.shared.end(number) }
            result = try body()
        }
        return (activity, result)
    }

    /// Runs an asynchronous block, as the other function of this name.
    public func activity<Result>(
        isolation: isolated (any Actor)? = #isolation, of body: () async throws -> Result
    ) async rethrows -> (activity: StoreActivity, result: Result) {
        let number = ActivityRecorder.shared.begin(recordedNames)
        var activity = StoreActivity()
        let result: Result
        do {
            defer { activity = ActivityRecorder.shared.end(number) }
            result = try await body()
        }
        return (activity, result)
    }

    private var recordedNames: Set<String> { Set(persistentStores.compactMap { $0.url?.lastPathComponent }) }
}
