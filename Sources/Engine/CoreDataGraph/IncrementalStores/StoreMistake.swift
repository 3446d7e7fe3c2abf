import CoreDataStore

/// The errors for what a store class of the user's own does wrong. Values never appear in them.
enum StoreMistake {
    /// An error that names the class and what it did.
    static func make(_ store: NSPersistentStore, _ what: String, hint: String) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError, "The store class '\(type(of: store))' \(what).", hint: hint,
            userInfo: [NSAffectedStoresErrorKey: [store]])
    }

    static func missingMethod(_ method: String, of store: NSPersistentStore) -> NSError {
        make(store, "does not override \(method)", hint: "Override it; every store class must.")
    }

    static func answer(
        to request: String, _ answer: Any, of store: NSPersistentStore, wanted: String
    ) -> NSError {
        make(
            store, "answered \(request) with \(typeName(answer))", hint: "Return \(wanted).")
    }

    /// An identifier in an answer that does not belong to the store, or is of another entity.
    static func identifier(
        _ identifier: NSManagedObjectID, in place: String, of store: NSPersistentStore,
        wanted entity: NSEntityDescription
    ) -> NSError {
        let what =
            if identifier.isTemporaryID {
                "a temporary identifier"
            } else if identifier.persistentStore !== store {
                "an identifier of another store"
            } else {
                "an identifier of entity '\(identifier.entity.name ?? "")'"
            }
        return make(
            store, "gave \(what) \(place), where one of entity '\(entity.name ?? "")' was wanted",
            hint: "Make identifiers with newObjectID(for:referenceObject:) of this store.")
    }

    /// What kind of thing an answer is.
    static func typeName(_ value: Any) -> String {
        if value is NSNull { return "NSNull" }
        return "a value of type \(type(of: value))"
    }
}
