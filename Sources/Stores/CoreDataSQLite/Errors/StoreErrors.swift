import CoreDataSQL
import SQLiteKit

/// Converts SQLite's errors to the errors that Core Data documents.
enum StoreErrors {
    /// Makes the error of a file that could not be opened: as in Apple's framework, 259 if it is damaged or not a
    /// database.
    static func cocoaError(_ error: SQLiteError, opening url: URL) -> NSError {
        let reason = error.refusal?.rawValue ?? reason(error)
        let isUnreadable = [.notADatabase, .corrupt].contains(error.code.primary)
        return CoreDataError.make(
            isUnreadable ? NSFileReadCorruptFileError : NSPersistentStoreOpenError,
            "The store '\(url.path)' cannot be opened: \(reason).", reason: reason,
            hint: [.busy, .locked].contains(error.code.primary) ? wait : error.hint ?? restore,
            underlying: sqliteError(error), userInfo: details(error, url))
    }

    /// Makes the error of a statement that failed on an open store; if an SQL function reported an expression without a
    /// value, the error is the same as in all stores.
    static func cocoaError(_ error: SQLiteError, at url: URL, during action: String) -> NSError {
        if let text = QueryFunctions.expressionError(in: error) {
            return QueryRefusal.make(expression: text, underlying: sqliteError(error))
        }
        let (code, text) = classified(error)
        return CoreDataError.make(
            code, "The store '\(url.path)' cannot \(action): \(text).", reason: PrintableText.line(error.message),
            hint: hint(error),
            underlying: sqliteError(error), userInfo: details(error, url))
    }

    /// Makes the error of a path that cannot be opened as a database, as detected before SQLite opens it.
    static func refused(_ refusal: FileRefusal, _ url: URL) -> NSError {
        guard [.empty, .tooShort].contains(refusal) else {
            let hint =
                refusal == .forbidden
                ? "Look at the permissions of the file and of the folders above it."
                : "Give the path of a store's file."
            return unusable(url, refusal.rawValue, hint: hint)
        }
        let error = SQLiteError(
            code: .notADatabase, attempt: "open \(url.path)", message: refusal.rawValue, refusal: refusal)
        return cocoaError(error, opening: url)
    }

    /// Makes the error that a file is not a store, or not one that can be used.
    static func unusable(_ url: URL, _ reason: String, hint: String, underlying: (any Error)? = nil) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOpenError, "The store '\(url.path)' cannot be opened: \(PrintableText.line(reason)).",
            reason: PrintableText.line(reason),
            hint: hint, underlying: underlying, userInfo: [NSFilePathErrorKey: url.path])
    }

    /// The recovery suggestion for a store that another program is using.
    static let wait = "Another program is using the store; try again, or raise NSPersistentStoreTimeoutOption."

    /// The recovery suggestion for a damaged store.
    static let restore = "Restore the file from a backup."

    /// The recovery suggestion for a file that is no longer the store that was opened.
    static let reopen = "Remove the store from the coordinator and add it again."

    private static func classified(_ error: SQLiteError) -> (Int, String) {
        switch error.code.primary {
        case .busy, .locked: (NSPersistentStoreTimeoutError, "another connection holds it")
        case .constraint: (NSManagedObjectConstraintMergeError, "a value that must be unique is there already")
        case .full: (NSFileWriteOutOfSpaceError, "the volume is full")
        case .readOnly: (NSFileWriteNoPermissionError, "the file cannot be written")
        case .corrupt, .notADatabase: (NSFileReadCorruptFileError, "the file is damaged")
        default: (NSSQLiteError, PrintableText.line(error.message))
        }
    }

    private static func hint(_ error: SQLiteError) -> String {
        switch error.code.primary {
        case .constraint: "Give another value, or change the object that has it."
        case .busy, .locked: wait
        case .full: "Make room, then try again."
        default: error.hint ?? "Try again; if that does not help, check the file with PRAGMA integrity_check."
        }
    }

    private static func reason(_ error: SQLiteError) -> String {
        switch error.code.primary {
        case .notADatabase: "it is not an SQLite database"
        case .corrupt: "the file is damaged (\(PrintableText.line(error.message)))"
        case .busy, .locked: "another process holds it"
        default: PrintableText.line(error.message)
        }
    }

    /// The details that Apple's framework reports with such an error: the file, and SQLite's extended result code under
    /// the name of SQLite's error domain.
    private static func details(_ error: SQLiteError, _ url: URL) -> [String: Any] {
        [NSFilePathErrorKey: url.path, NSSQLiteErrorDomain: NSNumber(value: error.code.rawValue)]
    }

    private static func sqliteError(_ error: SQLiteError) -> NSError {
        NSError(
            domain: NSSQLiteErrorDomain, code: Int(error.code.rawValue),
            userInfo: [NSLocalizedDescriptionKey: error.message, "NSSQLiteAttempt": error.attempt])
    }
}
