import CoreDataStore

extension NSManagedObjectContext {
    /// Implements `assign(_:to:)`.
    func choose(_ store: NSPersistentStore, for object: Any) {
        checkQueue("assign(_:to:)")
        guard let object = object as? NSManagedObject, object.registry === registry else {
            stop("Only an object that was inserted into the context can be assigned to a store.")
        }
        if let reason = refusal(of: object, store) { stop(reason) }
        object.workingValues().assignedStore = store
    }

    /// Returns why an object cannot be assigned to a store; nil if it can.
    private func refusal(of object: NSManagedObject, _ store: NSPersistentStore) -> String? {
        guard coordinator.persistentStores.contains(where: { $0 === store }) else {
            return "Can't assign an object to a store that is not among those of the context's coordinator."
        }
        guard store.keeps(object.entity, of: coordinator.managedObjectModel) else {
            return "Can't assign an object to a store that does not contain the object's entity: configuration "
                + "'\(store.configurationName ?? "")' has no entity '\(object.entity.name ?? "")'."
        }
        guard object.flags.contains(.temporary) || object.binding.store === store else {
            return "Can't reassign an object to a different store once it has been saved or has a permanent "
                + "identifier: \(object.objectID)"
        }
        return nil
    }
}
