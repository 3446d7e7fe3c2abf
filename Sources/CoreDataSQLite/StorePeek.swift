import CoreDataSQL
import SQLiteKit

/// Looks into a file without adding it to a coordinator and without changing a byte.
struct StorePeek {
    let url: URL

    /// The metadata, with the store's identity under `NSStoreUUIDKey`.
    func metadata() throws -> [String: Any] {
        try reading { connection in
            let metadata = try StoreMetadata.read(connection, url)
            var values = metadata.values
            values[NSStoreUUIDKey] = metadata.identifier
            return values
        }
    }

    func cachedModel() throws -> NSManagedObjectModel? {
        try reading { connection in
            guard let table = try connection.catalog().table("Z_MODELCACHE"), !table.isVirtual,
                table.columns.contains(where: { $0.name.uppercased() == "Z_CONTENT" && !$0.isGenerated })
            else { return nil }
            let statement = try connection.prepare(
                "SELECT Z_CONTENT FROM Z_MODELCACHE WHERE typeof(Z_CONTENT) = 'blob' AND length(Z_CONTENT) <= ? LIMIT 1")
            try statement.bind(Int64(Self.greatestModel), at: 1)
            guard try statement.step() else { return nil }
            let bytes = withExtendedLifetime(statement) { Data(statement.blobBytes(0)) }
            do {
                return try NSManagedObjectModel(cachedModel: bytes)
            } catch {
                throw StoreErrors.unusable(
                    url, "the model that it carries cannot be read: \(error)", hint: "Open it with a model of your own.")
            }
        }
    }

    private static let greatestModel = 64 << 20

    private func reading<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        do {
            let (connection, copy) = try StoreOpening.connectForReading(url, leavesTraces: false)
            defer { connection.close() }
            return try withExtendedLifetime(copy) {
                try StoreOpening.requireStore(connection, url)
                return try body(connection)
            }
        } catch let error as SQLiteError {
            throw StoreErrors.cocoaError(error, opening: url)
        }
    }
}
