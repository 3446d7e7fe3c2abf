import CoreDataStore

extension WeakList<NSManagedObjectContext> {
    /// Makes every context of the list except `context` merge a save later, asynchronously on its own queue.
    ///
    /// The save calls it while the store is locked, so that every context merges the saves in their order, and before
    /// the flags that mark `saved` as inserted, updated or deleted are removed. `alsoChanged` are rows whose values the
    /// store changed itself.
    func announce(_ saved: [NSManagedObject], _ alsoChanged: [RowAddress], by context: NSManagedObjectContext) {
        let others = members.filter { $0 !== context }
        guard !others.isEmpty || context.heldChanges != nil else { return }
        var changes = SavedChanges(ChangeSets(saved))
        changes.updated += alsoChanged.map(\.objectID)
        guard context.heldChanges == nil else {
            context.heldChanges?.append(changes)
            return
        }
        for other in others { other.mergeLater(changes) }
    }
}

extension ContextFamily {
    /// After `context`, the parent of the members, has saved, makes those that set
    /// `automaticallyMergesChangesFromParent` merge the saved changes later, on their queues. The changes include those
    /// that another child saved into the parent before.
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

    /// Adds the context to, or removes it from, its coordinator's list of contexts that merge the saves of others, and
    /// removes it from the list of its former coordinator.
    ///
    /// A context with a parent is in no list: it learns of saves through its parent's family.
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
