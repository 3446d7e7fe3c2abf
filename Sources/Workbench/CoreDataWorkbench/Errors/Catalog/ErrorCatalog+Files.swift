extension ErrorCatalog {
    /// Foundation's error codes for files that the library uses.
    static let files = [
        ErrorEntry(
            256, name: "NSFileReadUnknownError", meaning: "A file could not be read.",
            causes: ["the private copy of a store whose log lies in a place that cannot be written"],
            cures: ["Look at the file's permissions, and at the room in the temporary folder."]),
        ErrorEntry(
            259, name: "NSFileReadCorruptFileError", meaning: "A file is damaged, or is not what it is taken for.",
            causes: [
                "a file that is not a SQLite database, or an encrypted one",
                "pages that were damaged, or a file that was cut",
                "a store, a model or a mapping model of another form",
            ],
            cures: [
                "`coredata check` finds the damage, `coredata recover STORE -o NEW` saves what can be read.",
                "Restore the file from a backup.",
            ]),
        ErrorEntry(
            260, name: "NSFileReadNoSuchFileError", meaning: "There is no such file.",
            causes: ["a model or a store at another place"], cures: ["Look at the path in the message."]),
        ErrorEntry(
            263, name: "NSFileReadTooLargeError", meaning: "A file goes beyond a limit.",
            causes: ["a model or an archive that is larger or nested deeper than any sensible one"],
            cures: ["The message says which limit; see who made the file."]),
        ErrorEntry(
            512, name: "NSFileWriteUnknownError", meaning: "A file could not be written.",
            causes: ["the folder of large values beside a store, a recording, a model"],
            cures: ["Look at the folder; the system's words are beneath (`NSUnderlyingErrorKey`)."]),
        ErrorEntry(
            513, name: "NSFileWriteNoPermissionError", meaning: "A file may not be written.",
            causes: ["permissions of the store's file or folder", "a role of a PostgreSQL server without the grant"],
            cures: ["Change the permissions, or open the store read-only."]),
        ErrorEntry(
            640, name: "NSFileWriteOutOfSpaceError", meaning: "The volume is full.",
            causes: ["the disk of the store, or of the server"],
            cures: ["Make room and save again: the store is as it was, the context has its changes."]),
        ErrorEntry(
            3072, name: "NSUserCancelledError", meaning: "The user or the program cancelled it.",
            causes: ["`Progress.cancel()` of an asynchronous fetch, or the task of a stream"],
            cures: ["Nothing is wrong."]),
        ErrorEntry(
            3840, name: "NSPropertyListReadCorruptError",
            meaning: "A file is not a property list of the expected form.",
            causes: ["`CoreDataErrorTexts.load(contentsOf:)` with a file that is not a dictionary of texts"],
            cures: ["`coredata plist FILE --check` says whether it is one."]),
    ]
}
