import CoreDataSQL
import SQLiteKit

/// SQLite's errors as the ones that Core Data documents.
enum StoreErrors {
    /// The error for a file that could not be opened.
    static func cocoaError(_ error: SQLiteError, opening url: URL) -> NSError {
        let reason = error.refusal?.rawValue ?? reason(error)
        return CoreDataError.make(
            NSPersistentStoreOpenError, "The store '\(url.path)' cannot be opened: \(reason).", reason: reason,
            hint: error.hint, underlying: sqliteError(error), userInfo: [NSFilePathErrorKey: url.path])
    }

    /// The error for a statement that failed on an open store.
    static func cocoaError(_ error: SQLiteError, during action: String) -> NSError {
        let (code, text) = classified(error)
        return CoreDataError.make(
            code, "The store cannot \(action): \(text).", reason: error.message, hint: error.hint,
            underlying: sqliteError(error))
    }

    /// An error that says that a file is not a store, or not one that can be used.
    static func unusable(_ url: URL, _ reason: String, hint: String? = nil) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOpenError, "The store '\(url.path)' cannot be opened: \(reason).", reason: reason, hint: hint,
            userInfo: [NSFilePathErrorKey: url.path])
    }

    private static func classified(_ error: SQLiteError) -> (Int, String) {
        switch error.code.primary {
        case .busy, .locked: (NSPersistentStoreTimeoutError, "another connection holds it")
        case .constraint: (NSManagedObjectConstraintMergeError, "a value that must be unique is there already")
        case .full: (NSFileWriteOutOfSpaceError, "the volume is full")
        case .readOnly: (NSFileWriteNoPermissionError, "the file cannot be written")
        case .corrupt, .notADatabase: (NSFileReadCorruptFileError, "the file is damaged")
        default: (NSSQLiteError, error.message)
        }
    }

    private static func reason(_ error: SQLiteError) -> String {
        switch error.code.primary {
        case .notADatabase: "it is not an SQLite database"
        case .corrupt: "the file is damaged (\(error.message))"
        default: error.message
        }
    }

    private static func sqliteError(_ error: SQLiteError) -> NSError {
        NSError(
            domain: NSSQLiteErrorDomain, code: Int(error.code.rawValue),
            userInfo: [NSLocalizedDescriptionKey: error.message, "NSSQLiteAttempt": error.attempt])
    }
}
