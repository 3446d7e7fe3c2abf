import CoreDataSQL
import SQLiteKit

/// Option: reading leaves no file beside the store, not even SQLite's own; for tools that look into other people's stores.
package let SQLiteStoreLeavesNoTraceOption = "CoreDataSQLiteLeavesNoTrace"

/// Opens or creates a store's file and checks it before anything else is done with it.
struct StoreOpening {
    let url: URL
    let options: [AnyHashable: Any]
    let configuration: String?

    struct Opened {
        let file: StoreFile
        let metadata: [String: Any]
        let identifier: String
    }

    func open(model: NSManagedObjectModel, store: NSPersistentStore) throws -> Opened {
        let isReadOnly = options[NSReadOnlyPersistentStoreOption] as? Bool ?? false
        let exists = FileManager.default.fileExists(atPath: url.path)
        guard url.isFileURL else { throw StoreErrors.unusable(url, "its URL is not that of a file") }
        if !exists {
            guard !isReadOnly else { throw StoreErrors.unusable(url, "there is no such file") }
            try StoreCreation(url: url, model: model, configuration: configuration, options: options).create()
        }
        let (connection, copy, isWritable) = try connect(isReadOnly: isReadOnly)
        do {
            try Self.requireStore(connection, url)
            let metadata = try StoreMetadata.read(connection, url)
            try checkVersion(metadata, model)
            let file = try StoreFile(
                connection: connection, copy: copy, url: url, model: model, configuration: configuration, store: store,
                isReadOnly: !isWritable)
            let identifier = metadata.identifier ?? UUID().uuidString
            if metadata.identifier == nil {
                file.note("Its identity in Z_METADATA is missing or no UUID; it is \(identifier) until it is next saved.")
            }
            var values = metadata.values
            values[NSStoreUUIDKey] = identifier
            return Opened(file: file, metadata: values, identifier: identifier)
        } catch {
            connection.close()
            throw error
        }
    }

    // MARK: Connections

    private func connect(isReadOnly: Bool) throws -> (Connection, PrivateCopy?, Bool) {
        let leavesTraces = options[SQLiteStoreLeavesNoTraceOption] as? Bool != true
        guard !isReadOnly, FileManager.default.isWritableFile(atPath: url.path) else {
            let (connection, copy) = try Self.connectForReading(url, leavesTraces: leavesTraces)
            return (connection, copy, false)
        }
        var open = OpenOptions(mode: .readWrite)
        if let timeout = options[NSPersistentStoreTimeoutOption] as? Double { open.busyTimeout = .seconds(timeout) }
        let connection = try Connection.open(url.path, open)
        do {
            try StorePragmas(options: options).apply(to: connection)
        } catch let error as SQLiteError where error.code.primary == .readOnly || error.code.primary == .cannotOpen {
            // The file could be opened for writing, but not its folder: SQLite cannot keep a journal there.
            connection.close()
            let (reading, copy) = try Self.connectForReading(url, leavesTraces: leavesTraces)
            return (reading, copy, false)
        }
        return (connection, nil, !connection.isReadOnly)
    }

    /// A connection that changes no byte of the file.
    static func connectForReading(_ url: URL, leavesTraces: Bool) throws -> (Connection, PrivateCopy?) {
        // Refuses what is no regular file before anything looks at it.
        if let refusal = DatabaseFile(path: url.path).refusal(mayBeMissing: false) {
            throw StoreErrors.unusable(url, refusal.rawValue)
        }
        switch FileAccess.forReading(url.path, leavesTraces: leavesTraces) {
        case .privateCopy: return try connectToCopy(url)
        case .immutable:
            var open = OpenOptions(mode: .readOnly)
            open.isImmutable = true
            return (try Connection.open(url.path, open), nil)
        case .inPlace:
            guard let connection = try connectInPlace(url) else { return try connectToCopy(url) }
            return (connection, nil)
        }
    }

    /// A connection to the file where it is; nil when SQLite cannot keep its index of the log there.
    private static func connectInPlace(_ url: URL) throws -> Connection? {
        do {
            let connection = try Connection.open(url.path, OpenOptions(mode: .readOnly))
            _ = try connection.value("SELECT count(*) FROM sqlite_master")
            return connection
        } catch {
            guard [.cannotOpen, .readOnly].contains(error.code.primary) else { throw error }
            return nil
        }
    }

    private static func connectToCopy(_ url: URL) throws -> (Connection, PrivateCopy?) {
        let copy = try PrivateCopy(of: url.path)
        return (try Connection.open(copy.path, OpenOptions(mode: .readWrite)), copy)
    }

    // MARK: Checks

    /// Refuses a database that is not a Core Data store.
    static func requireStore(_ connection: Connection, _ url: URL) throws {
        let catalog = try connection.catalog()
        guard catalog.table("Z_METADATA") != nil else {
            throw StoreErrors.unusable(
                url, "it is an SQLite database, but not a Core Data store: it has no table Z_METADATA")
        }
    }

    /// Refuses a store that was made with another version of the model, naming the entities that differ.
    private func checkVersion(_ metadata: StoreMetadata, _ model: NSManagedObjectModel) throws {
        guard options[NSIgnorePersistentStoreVersioningOption] as? Bool != true else { return }
        let stored = metadata.values[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        let differing = model.entitiesDiffering(from: stored, configuration: configuration)
        guard !differing.isEmpty else { return }
        let names = differing.map { entity, difference in
            switch difference {
            case .changed: entity
            case .missingInModel: "\(entity) (only in the store)"
            case .missingInStore: "\(entity) (only in the model)"
            }
        }
        let reason = "The model used to open the store is incompatible with the one used to create the store"
        throw CoreDataError.make(
            NSPersistentStoreIncompatibleVersionHashError,
            "\(reason). These entities differ: \(names.joined(separator: ", ")).", reason: reason,
            hint: "Open the store with the version of the model that it was made with, or migrate it.",
            userInfo: ["metadata": metadata.values, "reason": reason, "entities": differing.map(\.entity)])
    }
}
