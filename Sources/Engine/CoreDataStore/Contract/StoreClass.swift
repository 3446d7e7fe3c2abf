import CoreDataModeling

/// What the class of a kind of store answers about stores that are not open.
package protocol StoreClass: AnyObject {
    /// The URL of a store for display, without passwords and other secrets.
    static func shownURL(_ url: URL) -> URL
    /// The metadata of a store.
    static func metadataForPersistentStore(with url: URL) throws -> [String: Any]
    /// Writes the metadata of a store; without effect on all else in it.
    static func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws
    /// The model that a store carries; nil for one that carries none.
    static func keptModel(at url: URL) throws -> NSManagedObjectModel?
    /// Whether a store that is not open keeps a history, for kinds whose tools cannot look into the file.
    static func keepsHistory(at url: URL) throws -> Bool
    /// What asks a store on a server by statements of SQL; nil for kinds that are files or in memory.
    static func statementReading(at url: URL) throws -> (any StatementReading)?
    /// What handles stores of the kind; nil for kinds that are one plain file each.
    static var administration: (any StoreAdministering.Type)? { get }
    /// What changes the schema of stores of the kind; nil for kinds that cannot.
    static var schemaMigrating: (any SchemaMigrating.Type)? { get }
}
