import CoreDataGraph
import CoreDataSQLite
import Foundation

/// The version of a store in a file.
struct StoreVersion {
    let url: URL
    let hashes: [String: Data]
    /// The model that the store keeps, if it can be read.
    let keptModel: NSManagedObjectModel?
    /// Whether the store has a part of the schema's entities.
    let isPart: Bool

    /// Reads the version of a store; nil for a file that does not exist or is no store, which opening it reports.
    init?(_ configuration: ModelConfiguration) {
        url = configuration.url
        isPart = configuration.schema != nil
        guard FileManager.default.fileExists(atPath: url.path),
            let storeClass = try? Self.storeClass(at: url),
            let metadata = try? storeClass.metadataForPersistentStore(with: url),
            let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data], !hashes.isEmpty
        else { return nil }
        self.hashes = hashes
        keptModel = try? storeClass.keptModel(at: url)
    }

    static func storeClass(at url: URL) throws -> any StoreClass.Type {
        try StoreToOpen(
            url, type: NSSQLiteStoreType, configuration: nil, options: [:], model: NSManagedObjectModel()
        ).storeClass
    }
}
