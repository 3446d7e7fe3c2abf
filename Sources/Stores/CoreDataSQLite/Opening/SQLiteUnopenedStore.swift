import CoreDataSQL
import SQLiteKit

/// Reads metadata and model of a file without adding it to a coordinator and without changing a byte.
struct SQLiteUnopenedStore {
    let url: URL

    /// Returns the metadata, with the store's identifier under `NSStoreUUIDKey`.
    func metadata() throws -> [String: Any] {
        try reading { try Self.metadata($0, url) }
    }

    static func metadata(_ connection: Connection, _ url: URL) throws -> [String: Any] {
        let metadata = try StoreMetadata.read(connection, url)
        var values = metadata.values
        values[NSStoreUUIDKey] = metadata.identifier
        return values
    }

    func cachedModel() throws -> NSManagedObjectModel? {
        try reading { try Self.cachedModel($0, url) }
    }

    static func cachedModel(_ connection: Connection, _ url: URL) throws -> NSManagedObjectModel? {
        do {
            return try CachedModel.read(connection)
        } catch let error as ModelingError {
            throw StoreErrors.unusable(
                url, "the model that it carries cannot be read: \(error)", hint: "Open it with a model of your own.")
        }
    }

    private func reading<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        do {
            let (connection, copy) = try SQLiteStoreOpening.connectForReading(url, leavesTraces: false)
            defer { connection.close() }
            return try withExtendedLifetime(copy) {
                try SQLiteStoreOpening.requireStore(connection, url)
                return try body(connection)
            }
        } catch let error as SQLiteError {
            throw StoreErrors.cocoaError(error, opening: url)
        }
    }
}
