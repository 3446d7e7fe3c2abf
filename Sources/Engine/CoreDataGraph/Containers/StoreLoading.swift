import CoreDataStore
import Synchronization

/// What has become of the descriptions that a container loads.
final class StoreLoading: Sendable {
    /// One that is not loaded; the description is kept so that no other has its place in memory.
    private struct Missing: @unchecked Sendable {
        let description: NSPersistentStoreDescription
        let store: CoreDataHealth.Store
    }

    private let missing = Mutex<[ObjectIdentifier: Missing]>([:])

    /// Records that a description has a store, or the error for which it does not.
    func note(_ description: NSPersistentStoreDescription, _ error: (any Error)?) {
        let missing = error.map { Missing(description: description, store: CoreDataHealth.Store(description, $0)) }
        let identifier = ObjectIdentifier(description)
        self.missing.withLock { $0[identifier] = missing }
    }

    /// The given descriptions whose stores are not loaded.
    func missing(of descriptions: [NSPersistentStoreDescription]) -> [CoreDataHealth.Store] {
        let identifiers = descriptions.map(ObjectIdentifier.init)
        return missing.withLock { missing in identifiers.compactMap { missing[$0]?.store } }
    }
}
