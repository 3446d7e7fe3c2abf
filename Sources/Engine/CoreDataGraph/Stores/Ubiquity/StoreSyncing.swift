import CoreDataStore

/// An `NSPersistentStore`; a protocol, so that the coordinator depends on this file and this file not on the coordinator.
package protocol SyncableStore: AnyObject {}

/// Synchronizes stores with those of other devices where their options ask for it; implemented in a higher layer.
package protocol StoreSyncing: SendableMetatype {
    /// The file of a store that is about to be opened, which is another one where the file belongs to another account.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` for options that cannot be followed.
    static func prepare(_ url: URL, type: String, options: [AnyHashable: Any]) throws -> URL
    /// Begins to exchange the changes of a store, if the user has an account.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` for a store that cannot take part.
    static func begin(_ store: any SyncableStore, options: [AnyHashable: Any]) throws
    /// Ends the exchange, before the store is closed; ignores a store that takes no part.
    static func end(_ store: any SyncableStore)
    /// Removes a store's file, and what the devices share of the store.
    static func removeContent(at url: URL, options: [AnyHashable: Any]) throws
}

/// The options of a store that ask for sync.
struct UbiquityOptions {
    private static let stores = _typeByName("CoreDataSyncing.OpeningSync") as? any StoreSyncing.Type

    private let options: [AnyHashable: Any]
    private let stores: any StoreSyncing.Type

    /// Nil for options that say nothing of it.
    ///
    /// - Throws: `NSCoreDataError` in a program without the module.
    init?(_ options: [AnyHashable: Any]?) throws {
        let keys = [NSPersistentStoreUbiquitousContentNameKey, NSPersistentStoreRemoveUbiquitousMetadataOption]
        guard let options, keys.contains(where: { options[$0] != nil }) else { return nil }
        guard let stores = Self.stores else {
            throw CoreDataError.make(
                NSCoreDataError, "The store's options ask for sync, which the program does not have.",
                hint: "Add the product CoreDataSyncing to the program's target, and import it in one of its files.")
        }
        (self.options, self.stores) = (options, stores)
    }

    func prepare(_ url: URL, type: String) throws -> URL { try stores.prepare(url, type: type, options: options) }
    func begin(_ store: any SyncableStore) throws { try stores.begin(store, options: options) }
    static func end(_ store: any SyncableStore) { stores?.end(store) }
    func removeContent(at url: URL) throws { try stores.removeContent(at: url, options: options) }
}
