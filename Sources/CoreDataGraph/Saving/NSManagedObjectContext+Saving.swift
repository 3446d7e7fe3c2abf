import CoreDataModeling

extension NSManagedObjectContext {
    /// Writes all changes to the stores, each store in one transaction.
    ///
    /// First `willSave` is called and everything validated; see `NSManagedObject.validateForInsert()`.
    /// - Throws: an error of `NSCocoaErrorDomain`: 1550–1690 when an object breaks a rule, 134060 when objects go on
    ///   changing, 133020 when a record was changed meanwhile, 134030 and others when the store cannot be written. The
    ///   store is then as before, and the context keeps its changes, so that the save can be tried again.
    public func save() throws {
        checkQueue()
        try persistentStoreCoordinator?.requireWritableMetadata()
        guard hasChanges else {
            forgetCancelledInsertions()
            try persistentStoreCoordinator?.saveChangedMetadata()
            return
        }
        post(.NSManagedObjectContextWillSave)
        try writeChanges(settleChanges())
    }

    /// Writes changed objects to their stores and makes what was written the committed state.
    func writeChanges(_ changed: [NSManagedObject]) throws {
        let outcome = try SaveExecution(context: self, changed: changed).run()
        finishSave(outcome.saved)
        for object in outcome.stale { object.turnIntoFault() }
        if let failure = outcome.failure { throw failure }
        try persistentStoreCoordinator?.saveChangedMetadata()
    }

    /// Gives inserted objects the identifiers that they keep, before they are saved.
    ///
    /// - Throws: the store's error.
    public func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        checkQueue()
        let unsaved = objects.filter { $0.flags.contains(.temporary) && $0.registry === registry }
        for (store, group) in try SaveExecution.grouped(unsaved, in: self) {
            guard let source = store.objects else { continue }
            var demand = KeyDemand()
            for object in group { demand.counts[object.layout.root, default: 0] += 1 }
            var grant = try store.serialized { try source.reserveKeys(demand) }
            for object in group {
                object.becomePermanent(in: store, key: grant.take(root: object.layout.root))
            }
        }
    }

    /// Follows the delete rules, then tells observers what changed since the last time.
    public func processPendingChanges() {
        checkQueue()
        if propagatesDeletesAtEndOfEvent { propagateDeletions() }
        announceChanges()
    }

    /// Forgets every change: inserted objects are gone, the others have the values of the last fetch or save.
    ///
    /// Nothing that was done here can be undone any more.
    public func rollback() {
        checkQueue()
        registry.journal.forgetAll()
        let changed = pending
        pending = []
        unannounced = []
        refreshed += changed.filter { !$0.isInserted }
        for object in changed {
            object.flags.remove([.pending, .unannounced])
            if object.isInserted { object.leave() } else { object.forgetChanges() }
        }
        for object in changed where object.registry != nil { object.awake(fromSnapshotEvents: .rollback) }
        announceChanges()
    }

    // MARK: Steps of a save

    private func finishSave(_ changed: [NSManagedObject]) {
        let changes = ChangeSets(changed)
        for object in changed { object.flags.remove(.pending) }
        // What a validation method changed elsewhere, or another store did not take, is still to be saved.
        pending.removeAll { !$0.flags.contains(.pending) }
        for object in changed { object.finishSave() }
        for object in changed { object.didSave() }
        post(.NSManagedObjectContextDidSave, changes.userInfo)
        for object in changes.deleted where object.registry == nil { object.becomeDeleted() }
    }

    /// Objects that were inserted and deleted since the last save were never there.
    func forgetCancelledInsertions() {
        guard pending.contains(where: { $0.flags.isSuperset(of: [.inserted, .deleted]) || !$0.hasChanges }) else {
            return
        }
        let kept = pending.filter { $0.hasChanges && !$0.flags.isSuperset(of: [.inserted, .deleted]) }
        for object in pending where object.flags.isSuperset(of: [.inserted, .deleted]) { object.leave() }
        for object in pending { object.flags.remove(.pending) }
        for object in kept { object.flags.insert(.pending) }
        pending = kept
    }

    // MARK: Notifications

    func announceChanges() {
        let replayed = finishReplay()
        registry.journal.endEvent()
        defer { registry.journal.forgetAnnounced() }
        guard !unannounced.isEmpty || !refreshed.isEmpty || !replayed.isEmpty else { return }
        if refreshed.contains(where: { $0.flags.contains(.pending) && !$0.hasChanges }) { dropUnchanged() }
        let objects = unannounced
        unannounced = []
        for object in objects { object.flags.remove([.unannounced, .newborn]) }
        var sets = ChangeSets(objects).userInfo
        replayed.complete(&sets)
        if !refreshed.isEmpty { sets[NSRefreshedObjectsKey] = Set(refreshed) }
        refreshed = []
        if !sets.isEmpty { post(.NSManagedObjectContextObjectsDidChange, sets) }
    }

    /// Lets go of objects whose changes were refreshed or undone away.
    func dropUnchanged() {
        pending.removeAll { object in
            guard !object.hasChanges else { return false }
            object.flags.remove(.pending)
            return true
        }
    }

    func post(_ name: NSNotification.Name, _ userInfo: [String: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
    }
}

extension NSNotification.Name {
    /// Posted by a context before it saves.
    public static let NSManagedObjectContextWillSave = NSNotification.Name(
        "NSManagingContextWillSaveChangesNotification")
    /// Posted by a context after it saved, with the sets of inserted, changed and deleted objects.
    public static let NSManagedObjectContextDidSave = NSNotification.Name("NSManagingContextDidSaveChangesNotification")
    /// Posted by a context when objects changed, with the sets of inserted, changed and deleted objects.
    public static let NSManagedObjectContextObjectsDidChange =
        NSNotification.Name("NSObjectsChangedInManagingContextNotification")
}
