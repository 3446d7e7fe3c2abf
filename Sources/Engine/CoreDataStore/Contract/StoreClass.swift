import CoreDataModeling

/// Operations of a store class on stores that are not open.
package protocol StoreClass: AnyObject {
    /// The URL of a store for display, without passwords and other secrets.
    static func shownURL(_ url: URL) -> URL
    /// The metadata of a store.
    static func metadataForPersistentStore(with url: URL) throws -> [String: Any]
    /// Replaces the metadata of a store; changes nothing else in the store.
    static func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws
    /// The model that is saved in a store; nil if the store contains none.
    static func keptModel(at url: URL) throws -> NSManagedObjectModel?
    /// Whether a store that is not open records a history; implemented by types without a file in which tools can check
    /// it.
    static func keepsHistory(at url: URL) throws -> Bool
    /// Makes a connection that executes SQL statements on a store on a server; nil for types in files or in memory.
    static func statementReading(at url: URL) throws -> (any StatementReading)?
    /// Destroys, replaces and copies stores of this type; nil for types whose stores are one plain file each.
    static var administration: (any StoreAdministering.Type)? { get }
    /// Migrates the schema of stores of this type in place; nil for types that cannot.
    static var schemaMigrating: (any SchemaMigrating.Type)? { get }
}
