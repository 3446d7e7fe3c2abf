import CoreDataSQL
import SQLiteKit

/// A store's file that no other connection has open, in this process or another, as long as it is migrated.
struct ExclusiveFile {
    let url: URL
    let options: [AnyHashable: Any]

    /// A connection that no other one is beside.
    func connect() throws -> Connection {
        if let refusal = DatabaseFile(path: url.path).refusal(mayBeMissing: false) {
            throw StoreErrors.refused(refusal, url)
        }
        var open = OpenOptions(mode: .readWrite)
        open.busyTimeout = SQLiteStoreOpening.busyTimeout(options) ?? open.busyTimeout
        open.vfs = options[SQLiteStoreFileSystemOption] as? String
        let connection = try Connection.open(url.path, open)
        do {
            // With write-ahead logging no other connection can exist beside one that has locked the entire file.
            try connection.setPragma("locking_mode", to: .text("exclusive"))
            try SQLiteStoreOpening.requireStore(connection, url)
            try connection.setPragma("synchronous", to: .text("full"))
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    /// - Throws: `NSMigrationError` where the store is open elsewhere.
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

    /// The error of a migration, with its underlying error.
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
