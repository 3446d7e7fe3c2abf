import CoreDataStore

/// Objects of a store that was replaced by another, which has their records under other keys.
extension NSPersistentStoreCoordinator {
    /// Makes the objects of contexts those of the copy: with other identifiers, their unsaved changes and the copy's rows.
    ///
    /// Each context's objects follow on its queue, before any later request. Identifiers that the program stores remain
    /// those of the former store. Call it while no store is locked.
    func renumberObjects(of former: NSPersistentStore, to copy: NSPersistentStore, _ keys: MovedKeys) {
        onEachContext { $0.renumberObjects(of: former, to: copy, keys) }
    }
}

extension NSManagedObjectContext {
    fileprivate func renumberObjects(of former: NSPersistentStore, to copy: NSPersistentStore, _ keys: MovedKeys) {
        let moved = registry.allObjects().compactMap { object -> (NSManagedObject, Int64)? in
            guard !object.flags.contains(.temporary), object.binding.store === former else { return nil }
            return keys.key(of: object).map { (object, $0) }
        }
        for (object, key) in moved {
            let address = RowAddress(binding: copy.binding(for: object.layout), key: key)
            liveResults.rename(RowKey(object), to: address)
        }
        registry.rekey(moved.map(\.0), keys: moved.map(\.1), to: copy)
        // Rows that were read name others by the former keys.
        for (object, _) in moved where object.isFault { object.slab = nil }
        for (object, _) in moved { refresh(object, mergeChanges: object.hasChanges) }
    }
}
