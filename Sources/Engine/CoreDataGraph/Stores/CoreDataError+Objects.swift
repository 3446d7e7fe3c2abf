import CoreDataStore

extension CoreDataError {
    static func missingRecord(_ id: NSManagedObjectID) -> NSError {
        make(
            NSManagedObjectReferentialIntegrityError, "CoreData could not fulfill a fault for '\(id)'",
            userInfo: [NSAffectedObjectsErrorKey: [id]])
    }

    static func storeRemoved(_ id: NSManagedObjectID) -> NSError {
        make(NSManagedObjectReferentialIntegrityError, "The store of '\(id)' has been removed from its coordinator.")
    }

    static func temporaryIdentifier(_ id: NSManagedObjectID) -> NSError {
        make(
            NSManagedObjectReferentialIntegrityError,
            "The temporary identifier '\(id)' of entity '\(id.entity.name ?? "")' is known to its own context only.",
            hint: "Save the object first, or ask for its permanent identifier with obtainPermanentIDs(for:).")
    }

    static func invalidated(_ id: NSManagedObjectID) -> NSError {
        make(
            NSManagedObjectReferentialIntegrityError, "The NSManagedObject with ID:\(id) has been invalidated.",
            hint: "Its context was reset: fetch the object again.")
    }

    static func deleted(_ id: NSManagedObjectID) -> NSError {
        make(NSManagedObjectReferentialIntegrityError, "The object '\(id)' was deleted and its deletion was saved.")
    }
}
