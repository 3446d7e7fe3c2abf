import CSwiftRuntime
import CoreDataStore

extension NSManagedObjectContext {
    func merge(_ notification: Notification) {
        guard notification.object as AnyObject? !== self, let userInfo = notification.userInfo,
            let persistentStoreCoordinator
        else { return }
        let names = SavedRecordLists(userInfo)
        if names.concernsAll { refreshAllObjects() }
        let changes = names.changes(in: persistentStoreCoordinator)
        // Changes that no context posted, such as a transaction of the history, may come from another process: the
        // coordinator's cached rows are outdated then.
        if !(notification.object is NSManagedObjectContext) { persistentStoreCoordinator.forgetRows(of: changes) }
        merge(changes)
    }

    /// Implements `mergeChanges(fromRemoteContextSave:into:)`.
    static func mergeRemote(_ changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext]) {
        let names = SavedRecordLists(changes)
        for context in contexts {
            guard let coordinator = context.persistentStoreCoordinator else { continue }
            let changes = names.changes(in: coordinator)
            coordinator.forgetRows(of: changes)
            context.performAndWait {
                if names.concernsAll { context.refreshAllObjects() }
                context.merge(changes)
            }
        }
    }

    /// Merges the changes that another context or process saved into this context. Call it on the context's queue.
    ///
    /// Changes of this context that observers have not been notified of are announced before, as a separate event.
    package func merge(_ changes: SavedChanges) {
        // A context that reads a past state is not affected by later saves.
        guard !readsPast else { return }
        let start = coredata_instruments_start()
        defer { if start != 0 { recordMerge(of: changes, since: start) } }
        if !unannounced.isEmpty || !refreshed.isEmpty { processPendingChanges() }
        takeIdentities()
        advanceGeneration()
        var merge = ChangeMerge(changes, into: self)
        if !merge.isEmpty { merge.run() }
        // Announces what observers changed during the merge: no other block on this queue does.
        if !unannounced.isEmpty || !refreshed.isEmpty { processPendingChanges() }
    }

    private func recordMerge(of changes: SavedChanges, since start: UInt64) {
        var event = instrumentEvent(.merge, since: start)
        (event.inserted, event.updated) = (changes.inserted.count, changes.updated.count)
        event.deleted = changes.deleted.count
        InstrumentRecorder.record(event)
    }
}
