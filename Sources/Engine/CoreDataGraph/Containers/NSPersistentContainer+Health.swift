import CoreDataStore

extension NSPersistentContainer {
    /// Checks whether each store can be used, for an endpoint that a load balancer or an orchestrator polls.
    ///
    /// ``CoreDataHealth/isReady`` says whether the server can accept requests. The stores are checked as by
    /// ``NSPersistentStoreCoordinator/health(within:)``. The result also has, each with its error, the descriptions
    /// whose stores are being loaded or could not be loaded; it has all descriptions before `loadPersistentStores` and
    /// after ``shutDown(within:)``.
    public func health(within limit: Duration = .seconds(2)) async -> CoreDataHealth {
        let coordinator = persistentStoreCoordinator
        let descriptions = persistentStoreDescriptions
        if coordinator.isShutDown { return Self.health(of: descriptions, CoreDataError.shutDown()) }
        let missing = loading.missing(of: descriptions)
        let present = await coordinator.health(within: limit)
        guard present.stores.isEmpty, missing.isEmpty else {
            return CoreDataHealth(stores: present.stores + missing)
        }
        return Self.health(of: descriptions, CoreDataError.notLoaded())
    }

    private static func health(of descriptions: [NSPersistentStoreDescription], _ error: NSError) -> CoreDataHealth {
        CoreDataHealth(stores: descriptions.map { CoreDataHealth.Store($0, error) })
    }
}

extension CoreDataHealth.Store {
    /// The health of a description that has no store.
    init(_ description: NSPersistentStoreDescription, _ error: any Error) {
        let storeClass = try? StoreTypeRegistry.storeClass(ofType: description.type)
        self.init(
            url: description.url.map { storeClass?.shownURL($0) ?? $0 }, type: description.type, identifier: nil,
            duration: .zero, error: error)
    }
}
