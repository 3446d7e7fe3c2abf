import CoreDataStore

/// Updates contexts' objects after a copy with other keys has replaced their store in the coordinator.
extension NSPersistentStoreCoordinator {
    /// Gives the objects of all contexts the identifiers of their records in the copy, and refreshes them, keeping
    /// unsaved changes.
    ///
    /// Each context's objects are updated on its queue, before later blocks on the queue run. Identifiers that the
    /// program has stored remain those of the former store. Call it while no store is locked.
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
        // Rows that were read before refer to related records by the former keys.
        for (object, _) in moved where object.isFault { object.slab = nil }
        for (object, _) in moved { refresh(object, mergeChanges: object.hasChanges) }
    }
}
