import CoreDataRecordStores
import CoreDataStore
import Synchronization

/// The store classes by store type.
///
/// The store types of the library are implemented in higher layers, most of them in modules that this one does not
/// import. Since a Swift module cannot register itself when it is loaded, their types are looked up by the names given
/// here when they are first used.
enum StoreTypeRegistry {
    /// The names of the backends, or store classes, of the library's store types.
    private static let bundled = [
        NSSQLiteStoreType: "CoreDataSQLite.StoreFile", NSInMemoryStoreType: "CoreDataRecordStores.MemoryStore",
        CoreDataPostgreSQLStoreType: "CoreDataPostgres.PostgresStore",
    ]

    private static var recordStores: [String: any StoreBackend.Type] {
        [NSXMLStoreType: XMLStore.self, NSBinaryStoreType: BinaryStore.self]
    }

    /// The classes of `bundled` that the program has, looked up once: a look-up goes through all types of the program.
    private static let bundledClasses: [String: NSPersistentStore.Type] = bundled.compactMapValues { name in
        guard let found = _typeByName(name) else { return nil }
        return (found as? any StoreBackend.Type)?.storeClass ?? found as? NSPersistentStore.Type
    }

    private static let registered = Mutex<[String: NSPersistentStore.Type]>([:])

    static func register(_ storeClass: NSPersistentStore.Type?, for type: String) {
        registered.withLock { $0[type] = storeClass }
    }

    /// Returns the class of a store type; nil if the program lacks it.
    static func storeClass(for type: String) -> NSPersistentStore.Type? {
        if let known = registered.withLock({ $0[type] }) { return known }
        if let backend = recordStores[type] { return backend.storeClass }
        return bundledClasses[type]
    }

    /// Returns the class of a store type.
    ///
    /// - Throws: `NSPersistentStoreInvalidTypeError` for a type that the program does not have.
    static func storeClass(ofType storeType: String) throws -> NSPersistentStore.Type {
        if let storeClass = storeClass(for: storeType) { return storeClass }
        throw CoreDataError.make(
            NSPersistentStoreInvalidTypeError, "There is no kind of store named '\(storeType)'.",
            hint: "Known kinds: \(all.keys.sorted().joined(separator: ", ")).")
    }

    /// Returns the store type under which a class is registered; `NSSQLiteStoreType` for an unregistered class.
    static func type(of storeClass: NSPersistentStore.Type) -> String {
        all.first { $0.value == storeClass }?.key ?? NSSQLiteStoreType
    }

    static var all: [String: NSPersistentStore.Type] {
        var classes = registered.withLock { $0 }
        for type in [String](bundled.keys) + recordStores.keys { classes[type] = storeClass(for: type) }
        return classes
    }
}
