import CSwiftRuntime
import CoreDataStore

extension NSManagedObjectContext {
    func saveChanges() throws {
        try persistentStoreCoordinator?.requireSaving(by: self)
        // If the context saves while one of its fetches is running, the fetch reads the saved values from here on.
        (dataSource as? StoreDataSource)?.heldStates = []
        if parent == nil { try persistentStoreCoordinator?.requireWritableMetadata() }
        announceBeforeSave()
        defer { sharedSets = SharedSets() }
        post(.NSManagedObjectContextWillSave)
        guard hasChanges || !watchedForConflicts.isEmpty else {
            forgetCancelledInsertions()
            if parent == nil { try persistentStoreCoordinator?.saveChangedMetadata() }
            dropMergedDeletions()
            return postSaveOfNothing()
        }
        guard !readsPast else { throw CoreDataError.savingThePast() }
        let start = coredata_instruments_start()
        let changed = try prepareForSave()
        if let parent {
            let counts = start == 0 ? nil : ChangeSets(changed)
            try writeChanges(changed, to: parent)
            if let counts { recordSave(counts, UnwrittenObjects(), to: "parent", since: start) }
        } else {
            let outcome = try writeChanges(changed, locked: watchedForConflicts) { $0.pending.changed }
            if start != 0 {
                let name = persistentStoreCoordinator?.persistentStores.first?.instrumentName ?? ""
                recordSave(outcome.changes, outcome.unwritten, to: name, since: start)
            }
        }
        watchedForConflicts = []
        dropMergedDeletions()
    }

    /// Ends the present event: observers are notified of its changes before the notification of the save.
    private func announceBeforeSave() {
        guard !isPreparingSave, !(pending.isEmpty && unannounced.isEmpty && refreshed.isEmpty) else { return }
        // The sets made for this notification can be used for the save too, unless something changes in between.
        isPreparingSave = true
        defer { isPreparingSave = false }
        deleteDisowned()
        endChanges()
    }

    /// Writes changed objects to their stores, and makes the written values the committed ones.
    ///
    /// `remaining` returns the objects to be written after a merge policy has changed something.
    @discardableResult func writeChanges(
        _ changed: [NSManagedObject], locked: [NSManagedObject] = [],
        remaining: @escaping (NSManagedObjectContext) -> [NSManagedObject]
    ) throws -> SaveExecution.Outcome {
        let outcome = try SaveExecution(context: self, changed: changed, locked: locked, remaining: remaining).run()
        finishSave(outcome)
        liveResults.note(outcome.derived)
        liveResults.notify()
        if let failure = outcome.failure { throw failure }
        try persistentStoreCoordinator?.saveChangedMetadata()
        return outcome
    }

    private func recordSave(
        _ changes: ChangeSets, _ unwritten: UnwrittenObjects, to store: String, since start: UInt64
    ) {
        var event = instrumentEvent(.save, since: start)
        event.store = store
        if parent != nil { event.flags = .toParent }
        event.entity = unwritten.entity ?? ""
        (event.inserted, event.updated) = (changes.inserted.count, changes.updated.count)
        (event.deleted, event.unchanged) = (changes.deleted.count, unwritten.count)
        InstrumentRecorder.record(event)
    }

    func makePermanent(_ objects: [NSManagedObject]) throws {
        let temporary = objects.filter { $0.flags.contains(.temporary) && $0.registry === registry }
        let unsaved = temporary.filter { parent == nil || $0.isInserted }
        if let parent { try obtainIdentifiers(of: temporary.filter { !$0.isInserted }, from: parent) }
        for (store, group) in try SaveExecution.grouped(unsaved, in: self) {
            guard let source = store.objects else { continue }
            if let serving = store.objectServing {
                try identify(group, by: serving, in: store)
                continue
            }
            let demand = KeyDemand(of: group)
            var grant = try store.serialized { try source.reserveKeys(demand) }
            for object in group {
                object.becomePermanent(in: store, key: grant.take(root: object.layout.root))
            }
        }
        liveResults.notify()
    }

    /// Gives new objects the permanent identifiers that a store of a custom class assigns.
    func identify(
        _ objects: [NSManagedObject], by serving: any ObjectServing, in store: NSPersistentStore
    ) throws {
        let unnamed = objects.filter { $0.flags.contains(.temporary) && !$0.isDeleted }
        guard !unnamed.isEmpty else { return }
        let keys = try store.serialized { try serving.keys(of: unnamed, for: RequestOrigin(context: self)) }
        for (object, key) in zip(unnamed, keys) { object.becomePermanent(in: store, key: key) }
    }

    func endChanges() {
        if propagatesDeletesAtEndOfEvent { propagateDeletions() }
        announceChanges()
    }

    // MARK: Steps of a save

    func finishSave(_ outcome: SaveExecution.Outcome) {
        advanceGeneration()
        // Objects that a validation method changed, or that another store did not save, remain pending.
        pending.removeAll { !$0.flags.contains(.pending) }
        if !outcome.resolved.isEmpty { dropUnchanged() }
        announceResolved(outcome)
        for object in outcome.saved where calls(.didSave, on: object) { object.didSave() }
        postSave(of: outcome.changes, outcome.historyToken)
        for object in outcome.changes.deleted + outcome.departed where object.registry == nil { object.becomeDeleted() }
    }

    /// Posts the changes that merge policies made in this save.
    private func announceResolved(_ outcome: SaveExecution.Outcome) {
        guard !outcome.resolved.isEmpty || !outcome.departed.isEmpty else { return }
        registry.journal.keepHeld()
        registry.journal.endEvent()
        defer { registry.journal.forgetAnnounced() }
        var sets = outcome.resolved
        if !outcome.departed.isEmpty { sets[NSDeletedObjectsKey, default: []].formUnion(outcome.departed) }
        liveResults.note(sets.values.joined())
        post(.NSManagedObjectContextObjectsDidChange, sets.forNotification)
        liveResults.notify()
    }

    /// Removes objects that were inserted and deleted since the last save, which are not written, and objects without
    /// changes from the pending ones.
    func forgetCancelledInsertions() {
        guard pending.contains(where: { $0.flags.isSuperset(of: [.inserted, .deleted]) || !$0.isChanged }) else {
            return
        }
        let kept = pending.filter { $0.isChanged && !$0.flags.isSuperset(of: [.inserted, .deleted]) }
        for object in pending where object.flags.isSuperset(of: [.inserted, .deleted]) { object.leave() }
        for object in pending { object.flags.remove(.pending) }
        for object in kept { object.flags.insert(.pending) }
        pending = kept
    }
}
