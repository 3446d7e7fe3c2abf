import CoreDataStore

extension NSPersistentStore {
    /// What the store answers within a time.
    func health(within limit: Duration) async -> CoreDataHealth.Store {
        let start = ContinuousClock.now
        let error = await healthCheck.run(within: limit) { [self] in
            guard let objects else { throw CoreDataError.closedStore() }
            // The store's own reason is to come before the time is over.
            try objects.healthProbing?.probe(within: limit * 0.9)
        }
        return CoreDataHealth.Store(
            url: url, type: type, identifier: identifier, duration: .now - start, error: error)
    }
}
