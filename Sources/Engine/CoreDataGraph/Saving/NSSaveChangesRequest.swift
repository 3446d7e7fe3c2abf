import CoreDataStore

/// The changes of some of a context's objects, to be written to the coordinator's stores.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
    /// The objects to insert; nil for none.
    open private(set) var insertedObjects: Set<NSManagedObject>?
    /// The objects whose changes are to be written; nil for none.
    open private(set) var updatedObjects: Set<NSManagedObject>?
    /// The objects whose records are to be deleted; nil for none.
    open private(set) var deletedObjects: Set<NSManagedObject>?
    /// Objects that are not written, but whose records must be unchanged since they were read; nil for none.
    open private(set) var lockedObjects: Set<NSManagedObject>?

    /// The kind of the request.
    override open var requestType: NSPersistentStoreRequestType { .saveRequestType }

    /// Makes a request of objects of one context.
    public init(
        inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
    ) {
        self.insertedObjects = insertedObjects
        self.updatedObjects = updatedObjects
        self.deletedObjects = deletedObjects
        self.lockedObjects = lockedObjects
        super.init()
    }

    /// Returns a copy with the same objects and stores.
    override open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSSaveChangesRequest(
            inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects, locked: lockedObjects)
        copy.affectedStores = affectedStores
        return copy
    }

    /// The objects to be written.
    var writtenObjects: Set<NSManagedObject> {
        (insertedObjects ?? []).union(updatedObjects ?? []).union(deletedObjects ?? [])
    }
}

extension NSManagedObjectContext {
    /// Writes the changes of a request's objects as they are, without validating them or applying delete rules.
    ///
    /// Other changed objects remain unsaved.
    /// - Throws: the errors of the stores that `save()` throws, and `NSPersistentStoreSaveError` if an object refers to
    ///   one that was never saved and is not in the request.
    func saveChanges(_ request: NSSaveChangesRequest) throws {
        let written = request.writtenObjects
        guard written.union(request.lockedObjects ?? []).allSatisfy({ $0.registry === registry }) else {
            stop("A save request takes objects of the context that it is executed with.")
        }
        let former = Set(pending)
        let changed = pending.filter { written.contains($0) && $0.hasChanges && isRequested($0, request) }
        for object in changed {
            try object.readUnreadChanges()
            try requireSavedTargets(of: object, among: written)
        }
        try writeChanges(changed, locked: Array(request.lockedObjects ?? [])) { context in
            // Objects that a merge policy changes in addition are saved together with them.
            context.pending.filter { object in
                object.hasChanges
                    && (!former.contains(object) || written.contains(object) && context.isRequested(object, request))
            }
        }
    }

    private func isRequested(_ object: NSManagedObject, _ request: NSSaveChangesRequest) -> Bool {
        object.flags.contains(.temporary) || request.concerns(object.binding.store)
    }

    private func requireSavedTargets(of object: NSManagedObject, among written: Set<NSManagedObject>) throws {
        guard let missing = object.loadedTargets.first(where: { isUnsaved($0) && !written.contains($0) }),
            !object.isDeleted
        else { return }
        throw CoreDataError.make(
            NSPersistentStoreSaveError,
            "'\(object.objectID)' refers to '\(missing.objectID)', which was never saved and is not in the request.",
            hint: "Save the two together.", userInfo: [NSAffectedObjectsErrorKey: [object, missing]])
    }

    private func isUnsaved(_ object: NSManagedObject) -> Bool {
        object.flags.contains(.temporary) && object.registry === registry && !object.isDeleted
    }
}
