import CoreDataRecordStores
import CoreDataStore
import Synchronization

/// The store classes by store type.
///
/// The store types of the library are implemented in higher layers, most of them in modules that this one does not
/// import. Since a Swift module cannot register itself when it is loaded, their types are looked up by the names given
/// here when they are first used.
enum StoreTypeRegistry {
    /// The classes of the library's store types, by the names of the backends or of the classes.
    private static let bundled = NamedTypes<NSPersistentStore.Type>([
        NSSQLiteStoreType: "CoreDataSQLite.StoreFile", NSInMemoryStoreType: "CoreDataRecordStores.MemoryStore",
        CoreDataPostgreSQLStoreType: "CoreDataPostgres.PostgresStore",
    ]) { name in
        let type = _typeByName(name)
        return (type as? any StoreBackend.Type)?.storeClass ?? type as? NSPersistentStore.Type
    }

    private static var recordStores: [String: any StoreBackend.Type] {
        [NSXMLStoreType: XMLStore.self, NSBinaryStoreType: BinaryStore.self]
    }

    private static let registered = Mutex<[String: NSPersistentStore.Type]>([:])

    static func register(_ storeClass: NSPersistentStore.Type?, for type: String) {
        registered.withLock { $0[type] = storeClass }
    }

    /// Returns the class of a store type; nil if the program lacks it.
    static func storeClass(for type: String) -> NSPersistentStore.Type? {
        if let known = registered.withLock({ $0[type] }) { return known }
        if let backend = recordStores[type] { return backend.storeClass }
        return bundled[type]
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
        // The class of a store to open is known already. Looking for it in `all` would look up types that the program
        // may lack, which takes long.
        for classes in [registered.withLock { $0 }, bundled.known, recordStores.mapValues { $0.storeClass }] {
            if let known = classes.first(where: { $0.value == storeClass }) { return known.key }
        }
        return all.first { $0.value == storeClass }?.key ?? NSSQLiteStoreType
    }

    static var all: [String: NSPersistentStore.Type] {
        var classes = registered.withLock { $0 }
        for type in bundled.keys + recordStores.keys { classes[type] = storeClass(for: type) }
        return classes
    }
}
