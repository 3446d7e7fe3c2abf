import CoreDataRecordStores
import CoreDataStore
import Synchronization

/// The store classes by store type.
///
/// The kinds that come with the library stand above coordinators, most of them in modules that this one does not know. They
/// are named here and found in the program at their first use, since a Swift module cannot register itself when it is
/// loaded.
enum StoreTypeRegistry {
    /// The backends of kinds, or their classes of stores.
    private static let bundled = [
        NSSQLiteStoreType: "CoreDataSQLite.StoreFile", NSInMemoryStoreType: "CoreDataRecordStores.MemoryStore",
        CoreDataPostgreSQLStoreType: "CoreDataPostgres.PostgresStore",
    ]

    private static var recordStores: [String: any StoreBackend.Type] {
        [NSXMLStoreType: XMLStore.self, NSBinaryStoreType: BinaryStore.self]
    }

    private static let registered = Mutex<[String: NSPersistentStore.Type]>([:])

    static func register(_ storeClass: NSPersistentStore.Type?, for type: String) {
        registered.withLock { $0[type] = storeClass }
    }

    /// The class of a store type; nil if the program lacks it.
    static func storeClass(for type: String) -> NSPersistentStore.Type? {
        if let known = registered.withLock({ $0[type] }) { return known }
        if let backend = recordStores[type] { return backend.storeClass }
        guard let found = bundled[type].flatMap(_typeByName) else { return nil }
        return (found as? any StoreBackend.Type)?.storeClass ?? found as? NSPersistentStore.Type
    }

    /// The class of a kind of store.
    ///
    /// - Throws: `NSPersistentStoreInvalidTypeError` for a kind that the program does not have.
    static func storeClass(ofType storeType: String) throws -> NSPersistentStore.Type {
        if let storeClass = storeClass(for: storeType) { return storeClass }
        throw CoreDataError.make(
            NSPersistentStoreInvalidTypeError, "There is no kind of store named '\(storeType)'.",
            hint: "Known kinds: \(all.keys.sorted().joined(separator: ", ")).")
    }

    /// The name under which a class is registered; that of stores in SQLite for one that is not.
    static func type(of storeClass: NSPersistentStore.Type) -> String {
        all.first { $0.value == storeClass }?.key ?? NSSQLiteStoreType
    }

    static var all: [String: NSPersistentStore.Type] {
        var classes = registered.withLock { $0 }
        for type in [String](bundled.keys) + recordStores.keys { classes[type] = storeClass(for: type) }
        return classes
    }
}
