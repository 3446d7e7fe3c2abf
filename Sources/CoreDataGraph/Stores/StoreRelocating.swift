import CoreDataStore

/// A store that can go on at another place.
package protocol StoreRelocating: NSPersistentStore {
    /// Closes the file and opens the one at `url`, which must be the same store.
    func relocate(to url: URL) throws
}
