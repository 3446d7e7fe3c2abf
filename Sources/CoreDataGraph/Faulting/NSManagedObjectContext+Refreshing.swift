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

    /// Refreshes every registered object if there are more than so many.
    package func refreshObjects(beyond count: Int) {
        if registry.objectCount > count { refreshAllObjects() }
    }

    /// Refreshes every registered object, keeping changes.
    ///
    /// Unchanged objects become faults and let go of those that they are related to: what nobody else holds is gone once
    /// the context has told its observers, at the end of the event or in `processPendingChanges()`.
    public func refreshAllObjects() {
        checkQueue()
        for object in registry.allObjects() { refresh(object, mergeChanges: object.hasChanges) }
        liveResults.noteAll()
    }
}
