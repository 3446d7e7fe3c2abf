import CoreDataStore

extension EntityBinding {
    /// The store; nil for objects that have not been saved, and once the store has been removed.
    var store: NSPersistentStore? {
        guard let storeReference else { return nil }
        return unsafeDowncast(storeReference, to: ZeroingReference<NSPersistentStore>.self).object
    }

    convenience init(layout: EntityLayout, store: NSPersistentStore?, storeNumber: Int) {
        self.init(layout: layout, storeReference: store?.zeroingReference, storeNumber: storeNumber)
    }
}

extension ZeroingReference: StoreReference where Object == NSPersistentStore {
    package var largeValues: (any LargeValueKeeping)? { object?.objects }

    package func identifier(of binding: EntityBinding, key: Int64) -> AnyObject {
        NSManagedObjectID(binding: binding, key: key)
    }
}
