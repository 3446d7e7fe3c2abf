import CoreDataStore

/// Rolling back and resetting.
extension NSManagedObjectContext {
    func forgetChanges() {
        registry.journal.forgetAll()
        dropMergedDeletions()
        let changed = pending
        pending = []
        unannounced = []
        watchedForConflicts = []
        refreshed += changed.filter { !$0.isInserted }
        for object in changed {
            object.flags.remove([.pending, .unannounced])
            if object.isInserted { object.leave() } else { object.forgetChanges() }
        }
        for object in changed where object.registry != nil { object.awake(fromSnapshotEvents: .rollback) }
        liveResults.note(changed)
        announceChanges()
    }

    func forgetObjects() {
        registry.journal.forgetAll()
        let known = registry.allObjects()
        for object in known where !object.isFault { object.willTurnIntoFault() }
        // Overrides of `willTurnIntoFault` may read relationships and so register more objects.
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
        liveResults.notify()
    }
}
