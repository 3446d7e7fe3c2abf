import CoreDataSQL
import SQLiteKit

/// Destroys a store: empties its file and removes the files beside it.
///
/// The file itself stays: if another connection still had it open, that connection would write to a removed file.
/// SQLite empties the file in one transaction that respects all locks; other connections then find no tables.
struct StoreDestruction {
    let url: URL
    let options: [AnyHashable: Any]

    /// Result codes that do not mean that the file is damaged, so that the force option does not apply.
    private static let environmental: Set<ResultCode> = [
        .readOnly, .cannotOpen, .full, .inputOutput, .outOfMemory, .permission, .interrupted, .misuse,
    ]

    private var isForced: Bool { StoreMaintenance.isSet(NSPersistentStoreForceDestroyOption, in: options) }

    /// - Throws: `NSPersistentStoreOpenError` if the file is not a store, `NSPersistentStoreTimeoutError` if another
    ///   connection locks it, unless destruction is forced.
    func run() throws {
        guard MemoryPlace(url) == nil else { return }
        switch DatabaseFile(path: url.path).refusal(mayBeMissing: false) {
        case nil: try destroyFile()
        case .missing: try leaveBlank()
        case .empty: removeSidecars()
        case let refusal?: throw unusable(refusal.rawValue)
        }
    }

    /// Removes all files of a store that nothing else uses.
    func removeFiles() {
        let names = (try? withConnection { try ExternalFiles.names(in: $0) }) ?? []
        unlink(url.path)
        removeSidecars()
        ExternalFiles.remove(names, of: url)
    }

    /// Creates an empty database if the file is missing and its folder is writable.
    ///
    /// Programs that remove the file afterwards then find it, as with Apple's framework, which creates the file by
    /// opening it.
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

    /// Empties the database; returns the names of the files that its rows referred to.
    private func reset(_ connection: Connection) throws -> Set<String> {
        guard try !SQLiteStoreOpening.isBlank(connection) else { return [] }
        try SQLiteStoreOpening.requireStore(connection, url)
        // Damaged tables are destroyed, too; files that cannot be read from them stay.
        let names = (try? ExternalFiles.names(in: connection)) ?? []
        try connection.configure(.resetsDatabase, true)
        try connection.setPragma("auto_vacuum", to: .integer(2))
        try connection.execute("VACUUM")
        try connection.configure(.resetsDatabase, false)
        // The log cannot be truncated while other connections use it; it is removed when they close the file.
        _ = try? connection.checkpoint(.truncate)
        return names
    }

    /// Whether the file begins with the header of an SQLite database; checked only if it could not be opened.
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
