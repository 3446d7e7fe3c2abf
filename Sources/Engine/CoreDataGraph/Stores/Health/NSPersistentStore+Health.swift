import CoreDataStore

extension NSPersistentStore {
    /// Probes the store, and returns the outcome after `limit` at the latest.
    func health(within limit: Duration) async -> CoreDataHealth.Store {
        let start = ContinuousClock.now
        let error = await healthCheck.run(within: limit) { [self] in
            guard let objects else { throw CoreDataError.closedStore() }
            // The store's own error should be known before the limit.
            try objects.healthProbing?.probe(within: limit * 0.9)
        }
        return CoreDataHealth.Store(
            url: url, type: type, identifier: identifier, duration: .now - start, error: error)
    }
}
