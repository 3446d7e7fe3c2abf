import CoreDataModeling

/// What a kind of store does with stores that are not open; kinds without it are handled as plain files.
package protocol StoreAdministering: AnyObject {
    /// Empties a store, so that the next one who adds it gets a new one.
    static func destroyStore(at url: URL, options: [AnyHashable: Any]) throws
    /// Puts a copy of one store in another's place, atomically.
    static func replaceStore(
        at destination: URL, options: [AnyHashable: Any], withStoreAt source: URL,
        options sourceOptions: [AnyHashable: Any]
    ) throws
    /// Moves the files of a store that is not open to their place, atomically; the place must be empty.
    static func publishStore(at temporary: URL, as url: URL) throws
    /// Makes a copy of a store that is not open, at a place where nothing is; on the disk when this returns.
    static func copyStore(at source: URL, to destination: URL) throws
    /// Removes the files of a store that no other user has seen yet.
    static func discardStore(at url: URL)
}
