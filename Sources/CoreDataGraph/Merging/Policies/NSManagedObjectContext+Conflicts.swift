import CoreDataStore

extension NSManagedObjectContext {
    /// Has the next save look whether somebody else changed or deleted the record of an object, changed here or not.
    ///
    /// If so it is a conflict like that of a changed object, and the merge policy is asked. A fault, which has nothing to
    /// compare, is passed over then, and so is an object that was never saved. Rolling back or resetting the context, and a
    /// save that succeeds, end it. Stops for an object of another context.
    public func detectConflicts(for object: NSManagedObject) {
        checkQueue()
        guard object.registry === registry else {
            stop("An NSManagedObjectContext cannot detect conflicts of objects in other contexts.")
        }
        guard !object.flags.contains(.temporary), !watchedForConflicts.contains(where: { $0 === object }) else {
            return
        }
        watchedForConflicts.append(object)
    }

    /// What changed since the last notification, by the keys of the next one, which is the caller's to post.
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
