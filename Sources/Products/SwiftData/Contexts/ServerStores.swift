import CoreDataGraph
import Foundation

/// Stores that are no files: a configuration with the URL of a PostgreSQL server.
///
/// The program links the product `CoreDataPostgres`, whose store is found by its name.
extension ModelConfiguration {
    /// Whether the URL is that of a server.
    var isOnServer: Bool { ["postgresql", "postgres"].contains(url.scheme?.lowercased()) }

    /// The kind of the store, as Core Data names it.
    var storeType: String {
        if isStoredInMemoryOnly { return NSInMemoryStoreType }
        return isOnServer ? CoreDataPostgreSQLStoreType : NSSQLiteStoreType
    }

    /// Refuses a plan for a store on a server that is of another version: stages are made on a copy of a file.
    ///
    /// - Throws: `SwiftDataError.loadIssueModelContainer`, or an error of a server that cannot be reached.
    func expectPresentVersion(of schema: Schema) throws {
        let stored = try? NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: storeType, at: url)
        let hashes = stored?[NSStoreModelVersionHashesKey] as? [String: Data]
        guard let hashes, hashes != schema.makeManagedObjectModel().entityVersionHashesByName else { return }
        throw SwiftDataError.loadIssueModelContainer.stating(
            "Configuration '\(name)' names a server, whose store is of an older version, and a plan makes its stages on a copy "
                + "of a file: open the container without a plan to migrate by inference.")
    }
}
