import CoreDataStore
import Synchronization

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

/// What has become of the descriptions that a container loads.
final class StoreLoading: Sendable {
    /// One that is not loaded; the description is kept so that no other has its place in memory.
    private struct Missing: @unchecked Sendable {
        let description: NSPersistentStoreDescription
        let store: CoreDataHealth.Store
    }

    private let missing = Mutex<[ObjectIdentifier: Missing]>([:])

    /// Notes that a description has no store, and why; or that it has one.
    func note(_ description: NSPersistentStoreDescription, _ error: (any Error)?) {
        let missing = error.map { Missing(description: description, store: CoreDataHealth.Store(description, $0)) }
        let identifier = ObjectIdentifier(description)
        self.missing.withLock { $0[identifier] = missing }
    }

    /// Those of some descriptions that have no store.
    func missing(of descriptions: [NSPersistentStoreDescription]) -> [CoreDataHealth.Store] {
        let identifiers = descriptions.map(ObjectIdentifier.init)
        return missing.withLock { missing in identifiers.compactMap { missing[$0]?.store } }
    }
}

extension CoreDataHealth.Store {
    /// A description without a store.
    fileprivate init(_ description: NSPersistentStoreDescription, _ error: any Error) {
        let storeClass = try? StoreTypeRegistry.storeClass(ofType: description.type)
        self.init(
            url: description.url.map { storeClass?.shownURL($0) ?? $0 }, type: description.type, identifier: nil,
            duration: .zero, error: error)
    }
}
