import CoreDataStore

/// The errors for mistakes of a store class of the program. Their messages contain no values.
enum StoreMistake {
    /// An error that names the store class and its mistake.
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

    /// The error for an identifier in a result that is temporary, of another store, or of another entity.
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

    /// The type of a wrong result, for messages.
    static func typeName(_ value: Any) -> String {
        if value is NSNull { return "NSNull" }
        return "a value of type \(type(of: value))"
    }
}
