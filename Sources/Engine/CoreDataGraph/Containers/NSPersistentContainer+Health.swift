import CoreDataStore

extension NSPersistentContainer {
    /// Asks each store whether it can be used, for the address that a load balancer or an orchestrator asks.
    ///
    /// ``CoreDataHealth/isReady`` says whether requests may come. The stores are asked as by
    /// ``NSPersistentStoreCoordinator/health(within:)``. A store that is being loaded, or whose loading has failed, is among them
    /// with the error; so are all descriptions before `loadPersistentStores` and after ``shutDown(within:)``.
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
    /// A description without a store.
    init(_ description: NSPersistentStoreDescription, _ error: any Error) {
        let storeClass = try? StoreTypeRegistry.storeClass(ofType: description.type)
        self.init(
            url: description.url.map { storeClass?.shownURL($0) ?? $0 }, type: description.type, identifier: nil,
            duration: .zero, error: error)
    }
}
