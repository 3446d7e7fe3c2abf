import CoreDataStore

/// Posting of notifications of the changes of an event and of a save.
extension NSManagedObjectContext {
    func announceChanges() {
        let replayed = finishReplay()
        registry.journal.endEvent()
        defer { registry.journal.forgetAnnounced() }
        guard !unannounced.isEmpty || !refreshed.isEmpty || !replayed.isEmpty else { return liveResults.notify() }
        if refreshed.contains(where: { $0.flags.contains(.pending) && !$0.isChanged }) { dropUnchanged() }
        let objects = unannounced
        unannounced = []
        for object in objects { object.flags.remove([.unannounced, .newborn]) }
        var sets = ChangeSets(objects).userInfo(sharing: &sharedSets)
        // Only a save uses these sets again.
        if !isPreparingSave { sharedSets = SharedSets() }
        replayed.complete(&sets)
        if !refreshed.isEmpty { sets[NSRefreshedObjectsKey] = Set(refreshed) }
        liveResults.note(objects)
        liveResults.note(refreshed)
        liveResults.note(sets.values.joined())
        refreshed = []
        if !sets.isEmpty { post(.NSManagedObjectContextObjectsDidChange, sets.forNotification) }
        liveResults.notify()
    }

    /// Returns the objects changed since the last notification, by the user info keys of the next one, and clears their
    /// flags; the caller must post it.
    func takeUnannounced() -> [String: Set<NSManagedObject>] {
        var sets = ChangeSets(unannounced.filter { $0.registry === registry }).userInfo(sharing: &sharedSets)
        for object in unannounced { object.flags.remove([.unannounced, .newborn]) }
        unannounced = []
        let present = refreshed.filter { $0.registry === registry }
        if !present.isEmpty { sets[NSRefreshedObjectsKey] = Set(present) }
        refreshed = []
        return sets
    }

    /// Posts the notifications of a save: first the one with the objects, then the one with their identifiers.
    func postSave(of changes: ChangeSets, _ token: NSPersistentHistoryToken?) {
        // The identifiers are collected first, since an observer of the first notification may pass its objects to
        // another thread, which reads their identifiers.
        guard heldChanges == nil else {
            liveResults.noteSave()
            return liveResults.notify()
        }
        let identifiers = SavedChanges(changes)
        family.announce(identifiers, by: self)
        var userInfo = Self.savedSets(changes.userInfo(sharing: &sharedSets))
        if let generation = savedGeneration() { userInfo[NSManagedObjectContextQueryGenerationKey] = generation }
        if let token { userInfo[NotificationKey.historyToken] = token }
        post(.NSManagedObjectContextDidSave, userInfo)
        post(.NSManagedObjectContextDidSaveObjectIDs, identifiers.userInfo(of: self, token))
        liveResults.noteSave()
        liveResults.notify()
    }

    /// Posts the notifications of a save without changes, as Apple's framework does.
    func postSaveOfNothing() {
        post(.NSManagedObjectContextDidSave, Self.savedSets([:]))
        post(.NSManagedObjectContextDidSaveObjectIDs, SavedChanges().userInfo(of: self))
    }

    /// The user info of a save: sets of the inserted, changed and deleted objects, empty ones too.
    private static func savedSets(_ sets: [String: Set<NSManagedObject>]) -> [AnyHashable: Any] {
        var userInfo = [AnyHashable: Any](minimumCapacity: 4)
        for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] { userInfo[key] = sets[key] ?? [] }
        return userInfo
    }
}
