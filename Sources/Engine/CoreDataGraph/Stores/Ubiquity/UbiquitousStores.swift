import CoreDataStore

/// A store that is open: an `NSPersistentStore`.
package protocol UbiquitousStore: AnyObject {}

/// Keeps stores in step with those of other devices where their options ask for it; implemented in a higher layer.
package protocol UbiquitousStores: SendableMetatype {
    /// The file of a store that is about to be opened, which is another one where the file belongs to another account.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` for options that cannot be followed.
    static func prepare(_ url: URL, type: String, options: [AnyHashable: Any]) throws -> URL
    /// Begins to keep a store in step, if the person has an account.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` for a store that cannot take part.
    static func begin(_ store: any UbiquitousStore, options: [AnyHashable: Any]) throws
    /// Ends that, before the store is closed; ignores any other store.
    static func end(_ store: any UbiquitousStore)
    /// Removes what the devices share of a store.
    static func removeContent(at url: URL, options: [AnyHashable: Any]) throws
}

/// The options of a store that is to be kept in step with those of other devices.
struct UbiquityOptions {
    private static let stores = _typeByName("CoreDataSyncing.SyncedByOptions") as? any UbiquitousStores.Type

    private let options: [AnyHashable: Any]
    private let stores: any UbiquitousStores.Type

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
    func begin(_ store: any UbiquitousStore) throws { try stores.begin(store, options: options) }
    static func end(_ store: any UbiquitousStore) { stores?.end(store) }
    func removeContent(at url: URL) throws { try stores.removeContent(at: url, options: options) }
}
