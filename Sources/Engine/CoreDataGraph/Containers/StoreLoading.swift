import CoreDataStore
import Synchronization

/// The descriptions of a container that have no loaded store, each with the reason.
final class StoreLoading: Sendable {
    /// A description without a loaded store. Retained, so that no other description gets the same `ObjectIdentifier`.
    private struct Missing: @unchecked Sendable {
        let description: NSPersistentStoreDescription
        let store: CoreDataHealth.Store
    }

    private let missing = Mutex<[ObjectIdentifier: Missing]>([:])

    /// Records that a description has a store (no error), or the error for which it has none.
    func note(_ description: NSPersistentStoreDescription, _ error: (any Error)?) {
        let missing = error.map { Missing(description: description, store: CoreDataHealth.Store(description, $0)) }
        let identifier = ObjectIdentifier(description)
        self.missing.withLock { $0[identifier] = missing }
    }

    /// The health of those of the given descriptions that have no loaded store.
    func missing(of descriptions: [NSPersistentStoreDescription]) -> [CoreDataHealth.Store] {
        let identifiers = descriptions.map(ObjectIdentifier.init)
        return missing.withLock { missing in identifiers.compactMap { missing[$0]?.store } }
    }
}
