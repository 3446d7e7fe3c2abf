import CoreDataSQL
import PostgresKit

/// Makes the errors of migrations on a server.
enum PostgresMigrationErrors {
    /// Makes the error of a failed migration, which the server has rolled back, with its underlying error.
    static func failure(_ error: any Error, _ location: PostgresLocation) -> NSError {
        let place = location.publicURL.absoluteString
        if let error = error as? PostgresError, error.breaksUniqueness {
            return CoreDataError.make(
                NSMigrationConstraintViolationError,
                "The store '\(place)' cannot be migrated: values are there twice that are to be unique "
                    + "(\(PrintableText.line(error.constraint ?? ""))).",
                hint: "Change or delete all but one of them with the model of before, then migrate again.",
                underlying: PostgresErrors.during("be migrated", error: error, location: location))
        }
        let cause =
            (error as? PostgresError).map { PostgresErrors.during("be migrated", error: $0, location: location) }
            ?? error as NSError
        let own = [NSMigrationError, NSMigrationConstraintViolationError, NSMigrationCancelledError]
        guard cause.domain != NSCocoaErrorDomain || !own.contains(cause.code) else { return cause }
        return CoreDataError.make(
            NSMigrationError,
            "The store '\(place)' cannot be migrated: \(cause.localizedDescription) It is as it was.",
            reason: cause.localizedFailureReason, hint: cause.localizedRecoverySuggestion ?? "Then migrate again.",
            underlying: cause)
    }

    /// Makes the error if the answer to COMMIT was lost, and the server cannot be asked for the outcome.
    static func unknownOutcome(_ location: PostgresLocation, identifier: String, error: any Error) -> NSError {
        let cause =
            (error as? PostgresError).map { PostgresErrors.during("be asked", error: $0, location: location) } ?? error
            as NSError
        return CoreDataError.make(
            NSPersistentStoreTimeoutError,
            "It is not known whether the store '\(location.publicURL.absoluteString)' was migrated: the answer to the last "
                + "statement was lost, and the server could not be asked in time. \(cause.localizedDescription)",
            hint: "Open it again: where it was migrated, nothing is left to do, else it is as it was. Its identity, "
                + "Z_UUID in the table z_metadata, is \(identifier) if it was.", underlying: cause)
    }

    /// Makes the error if other transactions did not end in time.
    static func inUse(_ location: PostgresLocation, holders: String) -> NSError {
        CoreDataError.make(
            NSMigrationError,
            "The store '\(location.publicURL.absoluteString)' cannot be migrated: others have transactions open that read or "
                + "write it\(holders.isEmpty ? "" : " (\(holders))").",
            hint: "End their query generations and streamed reads, or raise NSPersistentStoreTimeoutOption.")
    }
}
