import CoreDataModeling

/// The errors of the object graph, as the `NSError`s that Core Data documents.
package enum CoreDataError {
    /// An error of `NSCocoaErrorDomain` with a description, and what to do about it where that is known.
    package static func make(
        _ code: Int, _ description: String, reason: String? = nil, hint: String? = nil, underlying: (any Error)? = nil,
        userInfo: [String: Any] = [:]
    ) -> NSError {
        var info = userInfo
        info[NSLocalizedDescriptionKey] = description
        if let reason { info[NSLocalizedFailureReasonErrorKey] = reason }
        if let hint { info[NSLocalizedRecoverySuggestionErrorKey] = hint }
        if let underlying { info[NSUnderlyingErrorKey] = underlying as NSError }
        return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
    }

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

    static func otherStore(_ key: String, _ entity: String) -> NSError {
        make(
            NSManagedObjectExternalRelationshipError,
            "The relationship '\(key)' of entity '\(entity)' leads to an object of another store.",
            hint: "Keep related entities in one store, or use a fetched property.")
    }

    static func conflicts(_ ids: [NSManagedObjectID], objects: [NSManagedObject]) -> NSError {
        make(
            NSManagedObjectMergeError, "Could not merge changes.",
            reason: "\(ids.count) record\(ids.count == 1 ? " was" : "s were") changed in the store meanwhile: "
                + ids.prefix(5).map(\.description).joined(separator: ", ") + ".",
            hint: "Refresh the objects and make the changes again, then save.",
            userInfo: [NSAffectedObjectsErrorKey: objects])
    }
}
