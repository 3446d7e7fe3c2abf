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
        // Changes that no context posted, such as a transaction of the history, may come from another process.
        if !(notification.object is NSManagedObjectContext) { persistentStoreCoordinator.forgetRows(of: changes) }
        merge(changes)
    }

    /// What `mergeChanges(fromRemoteContextSave:into:)` does.
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

    /// Takes over what a save elsewhere has changed; called on the context's queue.
    ///
    /// Changes of which no observer has been notified yet are an event of their own, announced before.
    package func merge(_ changes: SavedChanges) {
        // What was saved since did not change the past.
        guard !readsPast else { return }
        let start = coredata_instruments_start()
        defer { if start != 0 { recordMerge(of: changes, since: start) } }
        if !unannounced.isEmpty || !refreshed.isEmpty { processPendingChanges() }
        takeIdentities()
        advanceGeneration()
        var merge = ChangeMerge(changes, into: self)
        if !merge.isEmpty { merge.run() }
        // What observers have changed meanwhile, on a queue on which no other block runs.
        if !unannounced.isEmpty || !refreshed.isEmpty { processPendingChanges() }
    }

    private func recordMerge(of changes: SavedChanges, since start: UInt64) {
        var event = instrumentEvent(.merge, since: start)
        (event.inserted, event.updated) = (changes.inserted.count, changes.updated.count)
        event.deleted = changes.deleted.count
        InstrumentRecorder.record(event)
    }
}
