import CoreDataStore

extension WeakList<NSManagedObjectContext> {
    /// Lets the other contexts merge a save later, each on its queue.
    ///
    /// Called while the store is locked and the saved objects are still marked, so that saves arrive in their order.
    /// `alsoChanged` are rows whose values the store changed itself.
    func announce(_ saved: [NSManagedObject], _ alsoChanged: [RowAddress], by context: NSManagedObjectContext) {
        let others = members.filter { $0 !== context }
        guard !others.isEmpty else { return }
        var changes = SavedChanges(ChangeSets(saved))
        changes.updated += alsoChanged.map(\.objectID)
        for other in others { other.mergeLater(changes) }
    }
}

extension ContextFamily {
    /// Lets the children that ask for it merge what their parent has saved; what another child has saved into it comes with that.
    func announce(_ changes: SavedChanges, by context: NSManagedObjectContext) {
        for child in members where child !== context && child.automaticallyMergesChangesFromParent {
            child.mergeLater(changes)
        }
    }
}

extension NSManagedObjectContext {
    func mergeLater(_ changes: SavedChanges) {
        queue.async { [weak self] in self?.merge(changes) }
    }

    /// Lets the coordinator know whether the context is to hear of the saves of others.
    ///
    /// A parent knows its children anyway.
    func updateAutomaticMerging(former: NSPersistentStoreCoordinator?) {
        guard parent == nil else {
            former?.mergingContexts.remove(self)
            former?.updateMonitors()
            return
        }
        if former !== persistentStoreCoordinator { former?.mergingContexts.remove(self) }
        if automaticallyMergesChangesFromParent {
            persistentStoreCoordinator?.mergingContexts.add(self)
        } else {
            persistentStoreCoordinator?.mergingContexts.remove(self)
        }
        former?.updateMonitors()
        persistentStoreCoordinator?.updateMonitors()
    }
}
