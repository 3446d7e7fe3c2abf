import CoreDataStore

extension NSManagedObjectContext {
    func renew(_ object: NSManagedObject, keepsChanges: Bool) {
        if let other = object.registry, other !== registry {
            stop("An NSManagedObjectContext cannot refresh objects in other contexts.")
        }
        guard object.registry === registry, !object.flags.contains(.inaccessible) else { return }
        if object.isInserted, !keepsChanges, object.dropUnsavedValues() { return objectRefreshed(object) }
        guard object.isRefreshable else { return }
        if keepsChanges {
            object.takeStoredValues()
        } else {
            dataSource.forgetRow(of: object)
            object.turnIntoFault()
        }
        objectRefreshed(object)
    }

    /// Refreshes every registered object if more than `count` are registered.
    package func refreshObjects(beyond count: Int) {
        if registry.objectCount > count { refreshAllObjects() }
    }

    /// Implements `refreshAllObjects()`.
    func renewAll() {
        checkQueue("refreshAllObjects()")
        for object in registry.allObjects() { refresh(object, mergeChanges: object.hasChanges) }
        liveResults.noteAll()
    }
}
