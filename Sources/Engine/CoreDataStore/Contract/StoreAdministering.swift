import CoreDataModeling

/// Operations of a type of store on stores that are not open; stores of types without it are treated as plain files.
package protocol StoreAdministering: AnyObject {
    /// Removes the contents of a store, so that the next coordinator that adds it creates a new store.
    static func destroyStore(at url: URL, options: [AnyHashable: Any]) throws
    /// Replaces the destination by a copy of the source, atomically.
    static func replaceStore(
        at destination: URL, options: [AnyHashable: Any], withStoreAt source: URL,
        options sourceOptions: [AnyHashable: Any]
    ) throws
    /// Moves the files of a store that is not open to another URL, atomically; nothing may exist at that URL.
    static func publishStore(at temporary: URL, as url: URL) throws
    /// Copies a store that is not open to a URL where nothing exists; the copy is flushed to disk when this returns.
    static func copyStore(at source: URL, to destination: URL) throws
    /// Removes the files of a store that no other user has seen yet.
    static func discardStore(at url: URL)
}
