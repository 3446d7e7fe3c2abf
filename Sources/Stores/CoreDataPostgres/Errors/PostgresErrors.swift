import CoreDataSQL
import PostgresKit

/// Converts the server's errors to the errors that Core Data documents.
enum PostgresErrors {
    /// The domain of the underlying errors.
    static let domain = "PostgreSQL"
    /// The code of a cancelled operation in that domain.
    static let cancelled = 1

    /// Makes the error of a store that could not be opened.
    static func opening(_ error: PostgresError, _ location: PostgresLocation) -> NSError {
        make(error, location: location, code: NSPersistentStoreOpenError, action: "be opened")
    }

    /// Makes the error of an operation that failed on an open store.
    static func during(_ action: String, error: PostgresError, location: PostgresLocation) -> NSError {
        make(error, location: location, code: code(error), action: action)
    }

    private static func make(
        _ error: PostgresError, location: PostgresLocation, code: Int, action: String
    ) -> NSError {
        if error.isOfOpening, error.sqlState == "42703" || error.sqlState == "42P01" || error.sqlState == "3F000" {
            return otherEpoch(error, location: location, action: action)
        }
        let reason = reason(error)
        var details: [String: Any] = [:]
        if let state = error.sqlState { details["SQLSTATE"] = state }
        return CoreDataError.make(
            code, "The store '\(location.publicURL.absoluteString)' cannot \(action): \(reason).", reason: reason,
            hint: hint(error), underlying: underlying(error), userInfo: details)
    }

    /// Makes the error of a store that was migrated, replaced or destroyed while the program had it open.
    private static func otherEpoch(
        _ error: PostgresError, location: PostgresLocation, action: String
    ) -> NSError {
        let reason =
            "it was migrated to another version of its model, replaced or destroyed while this program had it open"
        return CoreDataError.make(
            NSPersistentStoreIncompatibleVersionHashError,
            "The store '\(location.publicURL.absoluteString)' cannot \(action): \(reason).", reason: reason,
            hint: "Open it anew with the model that it has now; unsaved changes are still in their contexts.",
            underlying: underlying(error), userInfo: ["reason": reason])
    }

    private static func underlying(_ error: PostgresError) -> NSError {
        NSError(
            domain: domain, code: error.kind == .cancelled ? cancelled : 0,
            userInfo: [NSLocalizedDescriptionKey: error.description, "SQLSTATE": error.sqlState ?? ""])
    }

    private static func reason(_ error: PostgresError) -> String {
        switch error.sqlState {
        case "28P01", "28000": "the server does not let the user in"
        case "53300": "the server has as many connections as it takes"
        case "57P03": "the server is starting or stopping"
        case "25006": "the server takes no writes: it is a replica, or read-only"
        case "53100": "the server's volume is full"
        case "42501": "the role has not the grant that this needs (\(PrintableText.line(error.message)))"
        case "54000":
            "a text or data is too long for an index of an earlier version (\(PrintableText.line(error.message)))"
        default: PrintableText.line(error.message)
        }
    }

    private static func code(_ error: PostgresError) -> Int {
        switch error.sqlState {
        case "53100": NSFileWriteOutOfSpaceError
        case "25006": NSPersistentStoreSaveError
        case "42501": NSFileWriteNoPermissionError
        case "23505", "23P01": NSManagedObjectConstraintMergeError
        case "40001", "40P01", "55P03", "57014": NSPersistentStoreTimeoutError
        default: error.kind == .timedOut ? NSPersistentStoreTimeoutError : NSPersistentStoreOperationError
        }
    }

    private static func hint(_ error: PostgresError) -> String {
        switch error.sqlState {
        case "28P01", "28000": "Look at user and password, which libpq also takes from ~/.pgpass, and at pg_hba.conf."
        case "3D000": "Create the database; a store makes its schema, but not its database."
        case "53300": "Raise max_connections, or use fewer connections; see NSPersistentStoreConnectionPoolMaxSizeKey."
        case "57P03": "Try again in a moment."
        case "25006": "Give all servers of the cluster in the URL with target_session_attrs=read-write."
        case "53100": "Make room on the server, then try again."
        case "42501": "Grant it, or connect as a role that has it."
        case "23505", "23P01": "Give another value, or change the object that has it."
        case "40001", "40P01", "55P03", "57014": "Try again."
        case "54000":
            "Have the owner of the tables migrate the store, open it for writing (tables up to 16 MiB), or carry out what "
                + "`coredata explain` says of a fetch by the attribute."
        default:
            error.hint
                ?? (error.isConnectionLost
                    ? "See whether the server runs and can be reached, then try again."
                    : "Look at the server's log for what it says of this.")
        }
    }
}

extension PostgresError {
    /// Whether a uniqueness constraint rejected a value: a unique index, or an exclusion constraint over expressions.
    var breaksUniqueness: Bool { sqlState == "23505" || sqlState == "23P01" }
}
