import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Implements `destroyPersistentStore(at:ofType:options:)`.
    func destroyStore(at url: URL, _ storeType: String, _ options: [AnyHashable: Any]?) throws {
        guard storeType != NSInMemoryStoreType else { return }
        let storeClass = try StoreTypeRegistry.storeClass(ofType: storeType)
        guard let administering = storeClass.administration else { return try PlainFile.destroy(url) }
        try administering.destroyStore(at: url, options: options ?? [:])
    }

    /// Removes a store that takes part in sync by its options, and what the user's devices share of it: the other devices keep their files,
    /// which are no longer synchronized.
    ///
    /// - Parameters:
    ///   - storeURL: Where the store is, or was.
    ///   - options: The options with which it was added.
    /// - Throws: an error of `NSCocoaErrorDomain`, also if the program does not have the product `CoreDataSyncing`.
    public class func removeUbiquitousContentAndPersistentStore(
        at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws {
        guard options?[NSPersistentStoreUbiquitousContentNameKey] != nil, let ubiquity = try UbiquityOptions(options)
        else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The options have no '\(NSPersistentStoreUbiquitousContentNameKey)'.",
                hint: "Give the options with which the store was added.")
        }
        try ubiquity.removeContent(at: storeURL)
    }

    /// Destroys the contents of a store; adding a store at the URL afterwards creates a new one.
    ///
    /// - Throws: what `destroyPersistentStore(at:ofType:options:)` throws.
    public func destroyPersistentStore(
        at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
    }

    /// Implements `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)`.
    func replaceStore(
        at destinationURL: URL, _ destinationOptions: [AnyHashable: Any]?, withStoreAt sourceURL: URL,
        sourceOptions: [AnyHashable: Any]?, storeType: String
    ) throws {
        let storeClass = try StoreTypeRegistry.storeClass(ofType: storeType)
        guard !Self.isSamePlace(destinationURL, sourceURL) else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The store '\(sourceURL.path)' cannot be replaced with itself.",
                hint: "Give two different URLs.", userInfo: [NSFilePathErrorKey: sourceURL.path])
        }
        guard storeType != NSInMemoryStoreType else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "A store in memory cannot be replaced.",
                hint: "Copy it with migratePersistentStore(_:to:options:type:).")
        }
        guard let administering = storeClass.administration else {
            return try PlainFile.replace(destinationURL, with: sourceURL)
        }
        try administering.replaceStore(
            at: destinationURL, options: destinationOptions ?? [:], withStoreAt: sourceURL,
            options: sourceOptions ?? [:])
    }

    /// Replaces the store at the destination, if there is one, by a copy of another store.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain`; the destination is then unchanged.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: type.rawValue)
    }
}
