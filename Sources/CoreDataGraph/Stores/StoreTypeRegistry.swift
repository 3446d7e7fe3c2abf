import CoreDataStore
import Synchronization

/// The classes of stores by the name of their kind.
///
/// The backends of kinds that come with the library live in modules that this one does not know. They are named here and
/// found in the program when first asked for, since a Swift module cannot register itself when it is loaded.
enum StoreTypeRegistry {
    private static let bundled = [NSSQLiteStoreType: "CoreDataSQLite.StoreFile"]

    private static let registered = Mutex<[String: NSPersistentStore.Type]>([:])

    static func register(_ storeClass: NSPersistentStore.Type?, for type: String) {
        registered.withLock { $0[type] = storeClass }
    }

    /// The class of a kind of store; nil when the program has none.
    static func storeClass(for type: String) -> NSPersistentStore.Type? {
        if let known = registered.withLock({ $0[type] }) { return known }
        if type == NSInMemoryStoreType { return MemoryStore.self }
        return bundled[type].flatMap { _typeByName($0) as? any StoreBackend.Type }?.storeClass
    }

    static var all: [String: NSPersistentStore.Type] {
        var classes = registered.withLock { $0 }
        for type in [NSInMemoryStoreType] + bundled.keys { classes[type] = storeClass(for: type) }
        return classes
    }
}
