import CoreDataModeling

extension NSManagedObjectContext {
    /// Forgets every object and every change; objects that are still held can no longer be used.
    ///
    /// Objects with values are told that they turn into faults. Reading one of them afterwards gives nil and reports that
    /// it has been invalidated; `codedValue(forKey:)` throws it. Nothing that was done here can be undone any more.
    public func reset() {
        checkQueue()
        registry.journal.forgetAll()
        let told = registry.allObjects()
        for object in told where !object.isFault { object.willTurnIntoFault() }
        // Reading relationships for the last time can have made more.
        let objects = registry.allObjects()
        registry.removeAll()
        pending = []
        unannounced = []
        watchedForConflicts = []
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

    /// Gives an object the store's values again: as a fault, or at once with its changes kept.
    ///
    /// The store is asked even if the row is in the cache, unless the cache has a later version, or `stalenessInterval` is
    /// positive and the row younger. A fault drops its changes, transient values and related objects; merging keeps
    /// changes, transient values, and what was added to and removed from relationships. New objects stay as they are.
    /// Stops for an object of another context.
    public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue()
        if let other = object.registry, other !== registry {
            stop("An NSManagedObjectContext cannot refresh objects in other contexts.")
        }
        guard object.registry === registry, object.isRefreshable, !object.flags.contains(.inaccessible) else { return }
        if flag {
            object.takeStoredValues()
        } else {
            origin.forgetRow(of: object)
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
        return !flags.contains(.temporary) || context.origin.knows(self)
    }

    /// Reads the newest row, keeping what was changed here; a record that is gone is noticed at the next access or save.
    fileprivate func takeStoredValues() {
        guard !isFault, !isInserted, let origin = registry?.context?.origin else { return }
        do {
            origin.forgetRow(of: self)
            guard let row = try origin.row(binding, key: key) else {
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
