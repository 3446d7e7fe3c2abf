import CoreDataStore

extension NSManagedObjectContext {
    /// Implements `detectConflicts(for:)`.
    func watchForConflicts(_ object: NSManagedObject) {
        checkQueue("detectConflicts(for:)")
        guard object.registry === registry else {
            stop("An NSManagedObjectContext cannot detect conflicts of objects in other contexts.")
        }
        guard !object.flags.contains(.temporary), !watchedForConflicts.contains(where: { $0 === object }) else {
            return
        }
        watchedForConflicts.append(object)
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
}
