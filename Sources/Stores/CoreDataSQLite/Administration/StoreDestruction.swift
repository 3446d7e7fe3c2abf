import CoreDataSQL
import SQLiteKit

/// Empties a store's file and removes what is beside it.
///
/// The file stays: it cannot be removed safely while another connection may have it open, whose writes would then go
/// nowhere. SQLite empties it in one transaction that honours every lock; others find no tables any more.
struct StoreDestruction {
    let url: URL
    let options: [AnyHashable: Any]

    /// What says nothing about the file itself, so that force does not help.
    private static let environmental: Set<ResultCode> = [
        .readOnly, .cannotOpen, .full, .inputOutput, .outOfMemory, .permission, .interrupted, .misuse,
    ]

    private var isForced: Bool { StoreMaintenance.isSet(NSPersistentStoreForceDestroyOption, in: options) }

    /// - Throws: `NSPersistentStoreOpenError` for what is not a store, `NSPersistentStoreTimeoutError` when another connection holds it,
    ///   unless destruction is forced.
    func run() throws {
        guard MemoryPlace(url) == nil else { return }
        switch DatabaseFile(path: url.path).refusal(mayBeMissing: false) {
        case nil: try destroyFile()
        case .missing: try leaveBlank()
        case .empty: removeSidecars()
        case let refusal?: throw unusable(refusal.rawValue)
        }
    }

    /// Removes all files of a store without other users.
    func removeFiles() {
        let names = (try? withConnection { try ExternalFiles.names(in: $0) }) ?? []
        unlink(url.path)
        removeSidecars()
        ExternalFiles.remove(names, of: url)
    }

    /// Leaves in place of a missing file what destruction leaves of a file, unless the folder cannot take it.
    ///
    /// So programs that remove the file afterwards find it, as with Apple's framework, which opens the file first and so
    /// makes it.
    private func leaveBlank() throws {
        removeSidecars()
        var status = stat()
        guard !StoreMaintenance.isSet(NSReadOnlyPersistentStoreOption, in: options), lstat(url.path, &status) != 0,
            access(url.deletingLastPathComponent().path, W_OK | X_OK) == 0
        else { return }
        do {
            let connection = try Connection.open(url.path, OpenOptions(mode: .create))
            defer { connection.close() }
            try connection.setPragma("auto_vacuum", to: .integer(2))
            try connection.execute("VACUUM")
        } catch {
            throw StoreErrors.cocoaError(error, at: url, during: "be destroyed")
        }
    }

    private func destroyFile() throws {
        guard !StoreMaintenance.isSet(NSReadOnlyPersistentStoreOption, in: options) else {
            throw unusable("it is to be read only", hint: "Leave \(NSReadOnlyPersistentStoreOption) out.")
        }
        do {
            let names = try withConnection(reset)
            SearchLayout.removeFiles(ofStore: url.path)
            ExternalFiles.remove(names, of: url)
        } catch let error as SQLiteError {
            guard isForced, !Self.environmental.contains(error.code.primary), hasHeader else {
                throw StoreErrors.cocoaError(error, at: url, during: "be destroyed")
            }
            removeFiles()
        }
    }

    private func withConnection<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        var open = OpenOptions(mode: .readWrite)
        open.busyTimeout = SQLiteStoreOpening.busyTimeout(options) ?? open.busyTimeout
        let connection = try Connection.open(url.path, open)
        defer { connection.close() }
        return try body(connection)
    }

    /// Empties the database; gives the names of the files that its rows named.
    private func reset(_ connection: Connection) throws -> Set<String> {
        guard try !SQLiteStoreOpening.isBlank(connection) else { return [] }
        try SQLiteStoreOpening.requireStore(connection, url)
        // Damaged tables are to be destroyed too; the files that they named stay then.
        let names = (try? ExternalFiles.names(in: connection)) ?? []
        try connection.configure(.resetsDatabase, true)
        try connection.setPragma("auto_vacuum", to: .integer(2))
        try connection.execute("VACUUM")
        try connection.configure(.resetsDatabase, false)
        // Other connections to the file keep the log from being emptied; it is emptied when they close the file.
        _ = try? connection.checkpoint(.truncate)
        return names
    }

    /// Whether the file begins as every SQLite database does; looked at only when it could not be opened.
    private var hasHeader: Bool {
        DatabaseBytes.first(15, of: url.path) == Array("SQLite format 3".utf8)
    }

    private func removeSidecars() {
        for suffix in ["-wal", "-shm", "-journal"] { unlink(url.path + suffix) }
        SearchLayout.removeFiles(ofStore: url.path)
    }

    private func unusable(_ reason: String, hint: String = "Give the path of a store's file.") -> NSError {
        CoreDataError.make(
            NSPersistentStoreOpenError, "'\(url.path)' cannot be destroyed: \(reason).", reason: reason, hint: hint,
            userInfo: [NSFilePathErrorKey: url.path])
    }
}
