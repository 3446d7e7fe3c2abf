import CoreDataSQL
import SQLiteKit

/// Option: reading creates no files beside the store, not even SQLite's own; for tools that examine stores of other
/// programs.
package let SQLiteStoreLeavesNoTraceOption = "CoreDataSQLiteLeavesNoTrace"

/// Option: the name of SQLite's VFS through which a store is written; for tests.
package let SQLiteStoreFileSystemOption = "CoreDataSQLiteFileSystem"

/// Option: how many seconds to wait for a reader if all are in use; for tests.
package let SQLiteStoreReaderPatienceOption = "CoreDataSQLiteReaderPatience"

/// Option: the number of seconds after which a reader in use is reported; for tests.
package let SQLiteStoreLongestReadingOption = "CoreDataSQLiteLongestReading"

/// Opens or creates a store's file and checks it before anything else happens to it.
struct SQLiteStoreOpening {
    let url: URL
    let options: [AnyHashable: Any]
    let configuration: String?

    struct Opened {
        let file: StoreFile
        let metadata: [String: Any]
        let identifier: String
    }

    /// Opens or creates the file; a file that is refused is not changed.
    func open(layouts: ModelLayout, store: any BackendDelegate) throws -> Opened {
        guard url.isFileURL else {
            throw StoreErrors.unusable(url, "its URL is not that of a file", hint: "Give a file URL.")
        }
        if let place = MemoryPlace(url) { return try openInMemory(place, layouts: layouts, store: store) }
        let isReadOnly = options[NSReadOnlyPersistentStoreOption] as? Bool ?? false
        if !FileManager.default.fileExists(atPath: url.path) {
            // A file that is not accessible is not treated as missing.
            if DatabaseFile(path: url.path).refusal(mayBeMissing: true) == .forbidden {
                throw StoreErrors.refused(.forbidden, url)
            }
            guard !isReadOnly else {
                throw StoreErrors.unusable(
                    url, "there is no such file", hint: "Check the path; a store is not created for reading only.")
            }
            try creation(layouts.model).create()
        }
        guard !isReadOnly, FileManager.default.isWritableFile(atPath: url.path) else {
            return try openForReading(layouts, store)
        }
        do {
            return try openForWriting(layouts, store)
        } catch let error as SQLiteError
            where error.refusal == nil && [.readOnly, .cannotOpen].contains(error.code.primary)
        {
            // The file is writable, but not its folder, so that SQLite cannot create a journal.
            return try openForReading(layouts, store)
        }
    }

    /// Whether the options enable persistent history tracking.
    private var tracksHistory: Bool { options[NSPersistentHistoryTrackingKey] as? Bool ?? false }

    /// Whether the options ask the history to store overwritten values.
    private var keepsOldValues: Bool { options[CoreDataHistoryKeepsOldValuesOption] as? Bool ?? false }

    // MARK: Connections

    /// Opens a store in memory: at `/dev/null`, as is usual in tests, or at a path below it, for a store that
    /// coordinators of one process share.
    private func openInMemory(
        _ place: MemoryPlace, layouts: ModelLayout, store: any BackendDelegate
    ) throws -> Opened {
        let connection: Connection
        switch place {
        case .own: connection = try .inMemory()
        case .shared(let name): connection = try .inMemory(sharedAs: name)
        }
        if let busyTimeout = Self.busyTimeout(options) { connection.setBusyTimeout(busyTimeout) }
        do {
            switch place {
            case .own: try creation(layouts.model).fill(connection)
            case .shared: try creation(layouts.model).fillBlank(connection)
            }
            return try check(
                connection, copy: nil, layouts: layouts, store: store,
                isReadOnly: options[NSReadOnlyPersistentStoreOption] as? Bool ?? false)
        } catch {
            connection.close()
            throw error
        }
    }

    private func creation(_ model: NSManagedObjectModel) -> StoreCreation {
        StoreCreation(url: url, model: model, configuration: configuration, options: options)
    }

    /// Writes nothing, not even the journal mode, before the file has been found to be a store of this model.
    private func openForWriting(_ layouts: ModelLayout, _ store: any BackendDelegate) throws -> Opened {
        let hadLog = FileAccess.size(url.path + "-wal") > 0
        let connection = try connectForWriting()
        do {
            if !connection.isReadOnly, try Self.isBlank(connection) {
                try creation(layouts.model).fillBlank(connection)
            }
            let opened = try check(
                connection, copy: nil, layouts: layouts, store: store, isReadOnly: connection.isReadOnly)
            if opened.file.isReadOnly {
                reportReadOnly(opened.file)
                try connection.setPragma("query_only", to: .integer(1))
                try connection.configure(.leavesLogOnClose, hadLog)
                opened.file.probe = FileProbe(opened.file.shape, connect: nil)
            } else {
                let pragmas = StorePragmas(options: options)
                try pragmas.apply(to: connection)
                try StoreMaintenance(options: options).run(on: connection)
                opened.file.reconnect = reconnect
                // With exclusive locking no other connection can open the file.
                let isAlone = try connection.pragma("locking_mode")?.text == "exclusive"
                opened.file.probe = FileProbe(opened.file.shape, connect: isAlone ? nil : connectForWriting)
                if try pragmas.allowReaders(connection) {
                    try beginSearch(opened)
                    opened.file.pool = pool(opened.file, path: url.path, keepsStates: true, connect: connectReader)
                }
            }
            return opened
        } catch {
            // Closing the last connection would checkpoint the log into the file. An error here is ignored in favor of
            // the first one.
            try? connection.configure(.leavesLogOnClose, hadLog)
            connection.close()
            throw error
        }
    }

    /// Logs once why the store cannot be written; tools report it themselves.
    private func reportReadOnly(_ file: StoreFile) {
        guard let reason = file.reasonForReadOnly, options[SQLiteStoreLeavesNoTraceOption] as? Bool != true else {
            return
        }
        CoreDataLogging.report(
            .warning, "'\(url.path)': \(reason)", metadata: [CoreDataLogging.MetadataKey.store: url.path])
    }

    private func connectForWriting() throws(SQLiteError) -> Connection {
        var open = OpenOptions(mode: .readWrite)
        open.busyTimeout = Self.busyTimeout(options) ?? open.busyTimeout
        open.vfs = options[SQLiteStoreFileSystemOption] as? String
        return try Connection.open(url.path, open)
    }

    /// Opens another connection for writing, to a file that was already found to be a store of this model.
    private func reconnect() throws -> Connection {
        let connection = try connectForWriting()
        try StorePragmas(options: options).apply(to: connection)
        return connection
    }

    /// Opens a connection for reading beside the first one.
    ///
    /// - Throws: an error if the file now has a rollback journal, with which readers and a save would block each other.
    private func connectReader() throws -> Connection {
        let connection = try connectForWriting()
        do {
            guard try connection.pragma("journal_mode")?.text == "wal" else {
                throw SQLiteError(code: .busy, attempt: "read beside", message: "the file has a rollback journal")
            }
            try StorePragmas(options: options).applyToReader(connection)
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    /// Makes the pool of a file's readers, whose connections cannot write.
    private func pool(
        _ file: StoreFile, path: String, keepsStates: Bool, connect: @escaping () throws -> Connection
    ) -> ReaderPool {
        var settings = ReaderPool.Settings()
        settings.keepsStates = keepsStates
        if let count = options[NSPersistentStoreConnectionPoolMaxSizeKey] as? Int { settings.count = max(1, count) }
        if let seconds = options[SQLiteStoreReaderPatienceOption] as? Double { settings.patience = .seconds(seconds) }
        if let seconds = options[SQLiteStoreLongestReadingOption] as? Double { settings.longest = .seconds(seconds) }
        return StoreFile.readers(file.shape, path: path, settings: settings, connect: connect)
    }

    private func openForReading(_ layouts: ModelLayout, _ store: any BackendDelegate) throws -> Opened {
        let leavesTraces = options[SQLiteStoreLeavesNoTraceOption] as? Bool != true
        let (connection, copy) = try Self.connectForReading(url, leavesTraces: leavesTraces)
        if let busyTimeout = Self.busyTimeout(options) { connection.setBusyTimeout(busyTimeout) }
        do {
            let opened = try check(connection, copy: copy, layouts: layouts, store: store, isReadOnly: true)
            if copy == nil { readSearch(opened, leavesTraces: leavesTraces) }
            if leavesTraces { try addReaders(to: opened.file, copy) }
            opened.file.probe = FileProbe(opened.file.shape, connect: nil)
            return opened
        } catch {
            connection.close()
            throw error
        }
    }

    /// Adds readers of a file that this process never writes. Other processes may write it; with a rollback journal
    /// they can do so only while no connection reads, so the readers then hold no snapshots.
    private func addReaders(to file: StoreFile, _ copy: PrivateCopy?) throws {
        let path = copy?.path ?? url.path
        var open = OpenOptions(mode: copy == nil ? .readOnly : .readWrite)
        open.isImmutable = copy == nil && FileAccess.forReading(path, leavesTraces: true) == .immutable
        open.busyTimeout = Self.busyTimeout(options) ?? open.busyTimeout
        let isLogged = try file.connection.pragma("journal_mode")?.text == "wal"
        file.pool = pool(file, path: path, keepsStates: isLogged || open.isImmutable) {
            try Connection.open(path, open)
        }
    }

    /// Returns the timeout for locks from the options, at least zero and at most a day; nil for SQLite's default.
    static func busyTimeout(_ options: [AnyHashable: Any]) -> Duration? {
        let given = options[NSPersistentStoreTimeoutOption]
        guard let seconds = given as? Double ?? (given as? Int).map(Double.init), !seconds.isNaN else { return nil }
        return .seconds(min(max(seconds, 0), 86_400))
    }

    /// Opens a connection that changes no byte of the file.
    static func connectForReading(_ url: URL, leavesTraces: Bool) throws -> (Connection, PrivateCopy?) {
        // Refuses anything but a regular file before it is opened.
        if let refusal = DatabaseFile(path: url.path).refusal(mayBeMissing: false) {
            throw StoreErrors.refused(refusal, url)
        }
        switch FileAccess.forReading(url.path, leavesTraces: leavesTraces) {
        case .privateCopy: return try connectToCopy(url)
        case .immutable:
            var open = OpenOptions(mode: .readOnly)
            open.isImmutable = true
            return (try Connection.open(url.path, open), nil)
        case .inPlace:
            if !leavesTraces, let connection = try connectWithLogIndex(url) { return (connection, nil) }
            guard let connection = try connectInPlace(url) else { return try connectToCopy(url) }
            return (connection, nil)
        }
    }

    /// Opens a connection that uses the existing index of the log; nil if there is no usable index.
    private static func connectWithLogIndex(_ url: URL) throws -> Connection? {
        guard FileManager.default.fileExists(atPath: url.path + "-shm") else { return nil }
        var open = OpenOptions(mode: .readOnly)
        open.keepsLogIndex = true
        return try connectInPlace(url, open)
    }

    /// Opens a connection to the file in place; nil if SQLite cannot use the index of the log there.
    private static func connectInPlace(
        _ url: URL, _ options: OpenOptions = OpenOptions(mode: .readOnly)
    ) throws -> Connection? {
        do {
            let connection = try Connection.open(url.path, options)
            _ = try connection.value("SELECT count(*) FROM sqlite_master")
            return connection
        } catch {
            // SQLite reports a locking protocol error if a killed writer has left the index incomplete.
            guard [.cannotOpen, .readOnly, .lockingProtocol].contains(error.code.primary) else { throw error }
            return nil
        }
    }

    private static func connectToCopy(_ url: URL) throws -> (Connection, PrivateCopy?) {
        let copy: PrivateCopy
        do {
            copy = try PrivateCopy(of: url.path)
        } catch {
            throw StoreErrors.unusable(
                url, "it has a log that can only be read from a copy, which cannot be made",
                hint: "Make room in the folder for temporary files.", underlying: error)
        }
        return (try Connection.open(copy.path, OpenOptions(mode: .readWrite)), copy)
    }

    // MARK: Checks

    private func check(
        _ connection: Connection, copy: PrivateCopy?, layouts: ModelLayout, store: any BackendDelegate,
        isReadOnly: Bool
    ) throws -> Opened {
        try Self.requireStore(connection, url)
        let metadata = try StoreMetadata.read(connection, url)
        let agreement = try checkVersion(metadata, model: layouts.model, connection: connection)
        let file = try proving(agreement, metadata: metadata, model: layouts.model, connection: connection) {
            try StoreFile(
                connection: connection, copy: copy, url: url, layouts: layouts, configuration: configuration,
                store: store, isReadOnly: isReadOnly, tracksHistory: tracksHistory)
        }
        // Triggers of R-trees write to virtual tables, which SQLite permits only in trusted schemas. A store with
        // unknown triggers is opened for reading only.
        if !file.isReadOnly, file.schema.spatialIndexes.contains(where: \.hasTree) {
            try connection.configure(.trustedSchema, true)
        }
        createMissingIndexes(file, connection)
        for name in agreement?.undecided ?? [] { file.note(Self.assumption(name)) }
        if tracksHistory {
            if file.isReadOnly {
                file.tracksHistory = true
            } else {
                try file.beginHistory(keepingOldValues: keepsOldValues)
            }
        }
        try file.beginMetadata(metadata.values)
        let identifier = metadata.identifier ?? UUID().uuidString
        if metadata.identifier == nil {
            file.note("Its identity in Z_METADATA is missing or no UUID; the next save writes \(identifier).")
            file.unrecordedIdentifier = identifier
        }
        var values = metadata.values
        values[NSStoreUUIDKey] = identifier
        return Opened(file: file, metadata: values, identifier: identifier)
    }

    /// Whether a database is empty, as after a destroyed store, and no other program has marked it as its own.
    static func isBlank(_ connection: Connection) throws -> Bool {
        guard try connection.value("SELECT count(*) FROM sqlite_master")?.integer == 0 else { return false }
        return try ["user_version", "application_id"].allSatisfy { try connection.pragma($0)?.integer == 0 }
    }

    /// Throws if a database is not a Core Data store.
    static func requireStore(_ connection: Connection, _ url: URL) throws {
        guard let table = try connection.catalog().table("Z_METADATA") else {
            throw StoreErrors.unusable(
                url, "it is an SQLite database, but not a Core Data store: it has no table Z_METADATA",
                hint: "Check that it is the store's file and not another database of the program.")
        }
        let names = Set(table.columns.filter { !$0.isGenerated }.map { $0.name.uppercased() })
        guard !table.isVirtual, names.isSuperset(of: ["Z_VERSION", "Z_UUID", "Z_PLIST"]) else {
            throw StoreErrors.unusable(
                url, "its table Z_METADATA has not the columns of a Core Data store", hint: StoreErrors.restore)
        }
    }

    private static func assumption(_ name: String) -> String {
        "The version hash of \(PrintableText.line(name, limit: 100)) differs from the model's, which is computed by "
            + "an unconfirmed recipe; the tables are those of the model, so the store is used."
    }

    /// Returns the schema of a model in a store that is not opened for use, and notes about problems.
    ///
    /// - Throws: what opening throws.
    func survey(_ model: NSManagedObjectModel, _ connection: Connection) throws -> (StoreSchema, notes: [String]) {
        let metadata = try StoreMetadata.read(connection, url)
        let agreement = try checkVersion(metadata, model: model, connection: connection)
        let inspection = try proving(agreement, metadata: metadata, model: model, connection: connection) {
            try SchemaInspection(
                connection, model: model, configuration: configuration, url: url, tracksHistory: tracksHistory)
        }
        var notes = inspection.notes + (agreement?.undecided ?? []).map(Self.assumption)
        if metadata.identifier == nil { notes.append("Its identity in Z_METADATA is missing or no UUID.") }
        return (inspection.schema, notes)
    }

    /// Runs `make`, which checks the tables; if version hashes are inconclusive, missing tables prove another version.
    private func proving<Result>(
        _ agreement: VersionAgreement?, metadata: StoreMetadata, model: NSManagedObjectModel,
        connection: Connection, make: () throws -> Result
    ) throws -> Result {
        do {
            return try make()
        } catch let error as NSError {
            guard error.code == NSPersistentStoreIncompatibleSchemaError, let agreement else { throw error }
            let open = model.entitiesLeftOpen(by: agreement, configuration: configuration)
            let changed = try CachedModel.changed(among: open, from: model, connection)
            let names = changed.isEmpty ? agreement.undecided : changed
            guard !names.isEmpty else { throw error }
            throw incompatible(names.map { ($0, .changed) }, metadata)
        }
    }

    /// Throws if the store was created with another version of the model; the error names the entities that differ.
    ///
    /// - Returns: the result of comparing the version hashes; nil if the options disable versioning.
    private func checkVersion(
        _ metadata: StoreMetadata, model: NSManagedObjectModel, connection: Connection
    ) throws -> VersionAgreement? {
        guard options[NSIgnorePersistentStoreVersioningOption] as? Bool != true else { return nil }
        let stored = metadata.values[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        let agreement = model.agreement(with: stored, configuration: configuration)
        guard agreement.differing.isEmpty else { throw incompatible(agreement.differing, metadata) }
        let changed = try CachedModel.changed(among: agreement.undecided, from: model, connection)
        guard changed.isEmpty else { throw incompatible(changed.map { ($0, .changed) }, metadata) }
        return agreement
    }

    private func incompatible(
        _ differing: [(entity: String, difference: VersionDifference)], _ metadata: StoreMetadata
    ) -> NSError {
        let names = differing.prefix(20).map { name, difference in
            let entity = PrintableText.line(name, limit: 100)
            return switch difference {
            case .changed: entity
            case .missingInModel: "\(entity) (only in the store)"
            case .missingInStore: "\(entity) (only in the model)"
            }
        }
        let more = differing.count > names.count ? " and \(differing.count - names.count) more" : ""
        let reason = "The model used to open the store is incompatible with the one used to create the store"
        return CoreDataError.make(
            NSPersistentStoreIncompatibleVersionHashError,
            "\(reason): '\(url.path)'. These entities differ: \(names.joined(separator: ", "))\(more).", reason: reason,
            hint: "Open the store with the version of the model that it was made with, or migrate it.",
            userInfo: ["metadata": metadata.values, "reason": reason, "entities": differing.map(\.entity)])
    }
}
