import CoreDataStore

extension NSManagedObjectContext {
    func forgetObjects() {
        registry.journal.forgetAll()
        let told = registry.allObjects()
        for object in told where !object.isFault { object.willTurnIntoFault() }
        // Reading relationships for the last time can have made more.
        let objects = registry.allObjects()
        registry.removeAll()
        pending = []
        unannounced = []
        watchedForConflicts = []
        mergedDeletions = []
        faultBatches.removeAll()
        forgetRetained()
        for object in objects {
            let hadValues = !object.isFault
            object.invalidate()
            if hadValues { object.didTurnIntoFault() }
        }
        refreshed = []
        readingFailure = nil
        advanceGeneration()
        liveResults.noteReset()
        post(.NSManagedObjectContextObjectsDidChange, [NSInvalidatedAllObjectsKey: objects.map(\.objectID)])
        liveResults.tell()
    }

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

extension NSManagedObject {
    /// Drops the values, to be read again when they are next asked for.
    func turnIntoFault() {
        guard isRefreshable else { return }
        guard !isFault else { return dropUnreadChanges() }
        replaceValues {
            willTurnIntoFault()
            flags.remove([.updated, .deleted, .deletionPropagated])
            flags.insert(.fault)
            working = nil
            slab = nil
            didTurnIntoFault()
        }
    }

    /// Makes a fault of an object that was never saved; false where there is nothing to drop.
    ///
    /// It stays an inserted one. Related objects let go of it, and all of that can be undone.
    fileprivate func dropUnsavedValues() -> Bool {
        guard !isFault, let slab, slab === layout.defaultRow else { return false }
        releaseTargets { _ in true }
        for slot in layout.slots.indices where working?.isChanged(slot) == true { recordChange(slot) }
        replaceValues {
            willTurnIntoFault()
            let store = assignedStore
            working = nil
            if let store { workingValues().assignedStore = store }
            flags.insert(.fault)
            didTurnIntoFault()
        }
        return true
    }

    /// Gives a fault that was never saved the values that it was made with.
    func takeDefaultValues() {
        flags.remove(.fault)
        slab = layout.defaultRow
        rowIndex = 0
        for (slot, value) in layout.transientDefaults { store(value, slot) }
        for (slot, value) in layout.runTimeDefaults { storeDefault(value.makeValue(), slot) }
    }

    /// Forgets what was changed in a fault that could not be read, what was prefetched for it, and the row it kept.
    private func dropUnreadChanges() {
        slab = nil
        guard working != nil || !flags.isDisjoint(with: .changed) else { return }
        flags.remove([.updated, .deleted, .deletionPropagated])
        working = nil
    }

    /// Whether the values can be read again.
    fileprivate var isRefreshable: Bool {
        guard !flags.contains(.inserted), let context = registry?.context else { return false }
        return !flags.contains(.temporary) || context.dataSource.knows(self)
    }

    /// Reads the newest row, keeping what was changed here; a record that is gone is noticed at the next access or save.
    fileprivate func takeStoredValues() {
        guard !isFault, !isInserted, let dataSource = registry?.context?.dataSource else { return }
        do {
            dataSource.forgetRow(of: self)
            guard let row = try dataSource.row(binding, key: key) else {
                if !hasChanges { turnIntoFault() }
                return
            }
            replaceValues {
                guard adopt(row.slab, row.index) else { return }
                working?.forgetCached(storedCount: layout.storedCount)
                awake(fromSnapshotEvents: .refresh)
            }
        } catch {
            registry?.context?.report(error, for: self)
        }
    }
}
