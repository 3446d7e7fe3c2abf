import CoreDataStore

/// Inserting objects into a context, and marking them as deleted.
extension NSManagedObjectContext {
    func takeIn(_ object: NSManagedObject) {
        if object.flags.contains(.mergedDeletion), object.registry === registry {
            // The object's record was deleted: the object becomes a new one.
            object.leaveMerged()
            object.becomeDeleted()
        }
        if object.registry === registry {
            if object.isDeleted { undelete(object) }
            return
        }
        guard object.registry == nil else {
            stop("An NSManagedObject cannot be inserted into two contexts: \(object.objectID)")
        }
        if let error = object.unusableReason, object.flags.contains(.invalidated) { stop(error.localizedDescription) }
        // An object that was made without a context is inserted together with those that it was related to meanwhile.
        var open = [object]
        while let next = open.popLast() {
            guard next.registry == nil else { continue }
            if next.flags.contains(.withdrawn) {
                next.reenter(self)
                next.releaseStrangers(loading: false)
            } else {
                next.join(self)
            }
            open += next.loadedTargets.filter { $0.registry == nil && $0.flags.contains(.temporary) }
        }
    }

    func deleteLive(_ object: NSManagedObject) {
        guard object.registry === registry else {
            stop("An NSManagedObjectContext cannot delete objects in other contexts.")
        }
        // The save needs the version of the row. An object whose record is gone already counts as deleted.
        object.fireFaultIfNeeded()
        guard !object.isDeleted, !object.flags.contains(.inaccessible), object.announceDeletion() else { return }
        registry.journal.noteDeletion(object)
        object.flags.insert(.deleted)
        object.flags.remove(.deletionPropagated)
        objectChanged(object)
        object.notifyTrackersOfDeletion()
    }
}
