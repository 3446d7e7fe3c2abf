extension ErrorCatalog {
    /// Errors of stores that cannot be opened or written, or cannot execute a request.
    static let stores = [
        ErrorEntry(
            134000, name: "NSPersistentStoreInvalidTypeError",
            meaning: "The kind of a store is not known, or cannot do this.",
            causes: [
                "a store class that is not registered, or a misspelt type",
                "a store on PostgreSQL in a program without the product `CoreDataPostgres`",
                "the metadata of a store in memory that is not open",
            ],
            cures: ["Register the class with `registerStoreClass(_:forStoreType:)`, or import the product, first."]),
        ErrorEntry(
            134010, name: "NSPersistentStoreTypeMismatchError",
            meaning: "A store is of another type than the one asked for.",
            causes: ["none here: a file of another kind is refused with 259 or 134080"],
            cures: ["`coredata inspect` says of what kind a file is."]),
        ErrorEntry(
            134020, name: "NSPersistentStoreIncompatibleSchemaError",
            meaning: "The store lacks tables or columns of its model.",
            causes: ["a file that another program has changed", "a migration by another program that was broken off"],
            cures: [
                "`coredata check` names what is missing; with `--repair` it makes what it can.",
                "Otherwise restore the file from a backup.",
            ]),
        ErrorEntry(
            134030, name: "NSPersistentStoreSaveError", meaning: "A save was not written.",
            causes: [
                "the store is read-only: it was opened so, its file cannot be written, it has a history that the program does not turn on, or something in it that would be damaged",
                "the file was deleted, renamed or replaced while it was open",
                "no store keeps the entity of an object",
                "the context is pinned to a past state",
                "on a cluster: a server took over without the last saves",
            ],
            cures: [
                "The message says which. `NSPersistentStore.isReadOnly`, and the failure reason, say why a store is read-only.",
                "Give `NSPersistentHistoryTrackingKey` for a store that has a history.",
                "Remove a replaced store from the coordinator, add it again, and make the changes there.",
            ]),
        ErrorEntry(
            134040, name: "NSPersistentStoreIncompleteSaveError",
            meaning: "Of several stores some were saved, and one failed.",
            causes: ["a context with objects of several stores: each store has a transaction of its own"],
            cures: [
                "The stores that failed are in `NSAffectedStoresErrorKey`, the cause in `NSUnderlyingErrorKey`. Cure it, and save again: what was saved is not saved twice."
            ]),
        ErrorEntry(
            134050, name: "NSPersistentStoreSaveConflictsError",
            meaning: "A store cannot be written, since another user or program changed it.",
            causes: [
                "an XML or binary file that was changed, replaced or removed since it was read",
                "a store class of your own that reports conflicts",
            ],
            cures: ["Remove the store from the coordinator, add it again, and make the changes there."]),
        ErrorEntry(
            134060, name: "NSCoreDataError", meaning: "What was asked for cannot be done so.",
            causes: [
                "an entity, property or key path that the model does not have, in a request, a predicate or a sort descriptor",
                "a predicate or an expression that a store or memory cannot evaluate",
                "a request in the wrong place: without a store, a coordinator, an entity or sort descriptors",
                "a value of another type in a batch request",
                "a pragma or an option with a value that cannot be set",
                "a decimal with more digits than the store keeps",
            ],
            cures: ["The message names the place; where a name is meant that is there, the suggestion has it."]),
        ErrorEntry(
            134070, name: "NSPersistentStoreOperationError", meaning: "An operation on a store failed.",
            causes: [
                "a store that is not open any more, or not the coordinator's",
                "a coordinator that has been shut down",
                "a file that was removed, replaced or cut off, as `health(within:)` finds it",
                "a copy or replacement whose place is taken, or is the same",
                "a store class of your own that answers what cannot be",
                "a PostgreSQL server that refused a statement",
            ],
            cures: [
                "The message says what and where; look at `NSUnderlyingErrorKey` for the system's or server's words."
            ]
        ),
        ErrorEntry(
            134080, name: "NSPersistentStoreOpenError", meaning: "A store cannot be opened.",
            causes: [
                "no such file or folder, or no permission", "the model has no such configuration",
                "the server does not let the user in, or there is no such database",
            ],
            cures: [
                "Look at path, permissions and spelling; for PostgreSQL at the URL and `~/.pgpass`.",
                "`coredata inspect` prints what is at a path.",
            ]),
        ErrorEntry(
            134081, name: nil, meaning: "The coordinator has the store already.",
            causes: ["`loadPersistentStores` called twice, or two descriptions of one file"],
            cures: ["Use the store that is there, or remove it first."]),
        ErrorEntry(
            134090, name: "NSPersistentStoreTimeoutError", meaning: "A store did not answer in time.",
            causes: [
                "another process, or another connection, is writing to the file or holds it",
                "all connections for reading are in use by streams and query generations",
                "a kept state was given up, or its connection went",
                "a PostgreSQL server that is gone or waits for a lock; the outcome of a save may be unknown, which the message says",
            ],
            cures: [
                "Try again, or raise `NSPersistentStoreTimeoutOption`.",
                "End long reads, or raise `NSPersistentStoreConnectionPoolMaxSizeKey`.",
                "Pin the context again: `setQueryGenerationFrom(.current)`.",
                "After an unknown outcome save again: the store finds out first.",
            ]),
        ErrorEntry(
            134091, name: "NSPersistentStoreUnsupportedRequestTypeError",
            meaning: "A store does not carry out such a request.",
            causes: [
                "a batch request to a store in memory, in XML or in a binary file",
                "history of a store that keeps none, or old values of a transaction that kept none",
                "a result type that the call cannot give",
            ],
            cures: [
                "Change objects in a context and save them in place of a batch.",
                "Add the store with `NSPersistentHistoryTrackingKey`, or with `CoreDataHistoryKeepsOldValuesOption` from the beginning.",
            ]),
        ErrorEntry(
            134180, name: "NSSQLiteError", meaning: "SQLite failed for a reason that has no code of its own here.",
            causes: ["a failing disk or file system", "a database of a form that SQLite does not take"],
            cures: [
                "The user info has SQLite's extended code under `NSSQLiteErrorDomain`, its words are beneath (`NSUnderlyingErrorKey`).",
                "Try again, then `coredata check`.",
            ]),
        ErrorEntry(
            134200, name: "NSExternalRecordImportError", meaning: "An external record could not be imported.",
            causes: ["none here: external records belong to Spotlight"], cures: ["Nothing is to be done."]),
    ]
}
