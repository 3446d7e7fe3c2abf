import CoreDataSQL
import SQLiteKit

/// Gives a migration exclusive use of a store's file: no other connection, in any process, may have it open.
struct ExclusiveFile {
    let url: URL
    let options: [AnyHashable: Any]

    /// Opens a connection that excludes all other connections.
    func connect() throws -> Connection {
        if let refusal = DatabaseFile(path: url.path).refusal(mayBeMissing: false) {
            throw StoreErrors.refused(refusal, url)
        }
        var open = OpenOptions(mode: .readWrite)
        open.busyTimeout = SQLiteStoreOpening.busyTimeout(options) ?? open.busyTimeout
        open.vfs = options[SQLiteStoreFileSystemOption] as? String
        let connection = try Connection.open(url.path, open)
        do {
            // With write-ahead logging, exclusive locking fails if any other connection has the file open.
            try connection.setPragma("locking_mode", to: .text("exclusive"))
            try SQLiteStoreOpening.requireStore(connection, url)
            try connection.setPragma("synchronous", to: .text("full"))
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    /// - Throws: `NSMigrationError` if the store is open elsewhere.
    func require() throws {
        do {
            let connection = try connect()
            defer { connection.close() }
            try connection.transaction(.exclusive) {}
            _ = try connection.checkpoint(.truncate)
        } catch {
            throw failure(error)
        }
    }

    /// Returns the error of a migration, with the given error as the underlying one.
    func failure(_ error: any Error) -> NSError {
        var cause = error as NSError
        if let error = error as? SQLiteError {
            if [.busy, .locked].contains(error.code.primary) { return inUse(error) }
            cause = StoreErrors.cocoaError(error, at: url, during: "be migrated")
        }
        let own = [NSMigrationError, NSMigrationConstraintViolationError, NSMigrationCancelledError]
        guard cause.domain != NSCocoaErrorDomain || !own.contains(cause.code) else { return cause }
        return CoreDataError.make(
            NSMigrationError,
            "The store '\(url.path)' cannot be migrated: \(cause.localizedDescription) It is as it was.",
            reason: cause.localizedFailureReason, hint: cause.localizedRecoverySuggestion ?? "Then migrate again.",
            underlying: cause, userInfo: [NSFilePathErrorKey: url.path])
    }

    private func inUse(_ error: SQLiteError) -> NSError {
        CoreDataError.make(
            NSMigrationError,
            "The store '\(url.path)' cannot be migrated: another coordinator or process has it open.",
            hint: "Close it there first, or raise NSPersistentStoreTimeoutOption.",
            underlying: StoreErrors.cocoaError(error, at: url, during: "be migrated"),
            userInfo: [NSFilePathErrorKey: url.path])
    }
}
