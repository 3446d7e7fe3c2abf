import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// What `destroyPersistentStore(at:ofType:options:)` does.
    func destroyStore(at url: URL, _ storeType: String, _ options: [AnyHashable: Any]?) throws {
        guard storeType != NSInMemoryStoreType else { return }
        let storeClass = try StoreTypeRegistry.storeClass(ofType: storeType)
        guard let administering = storeClass.administration else { return try PlainFile.destroy(url) }
        try administering.destroyStore(at: url, options: options ?? [:])
    }

    /// Destroys all that a store has; the next one who adds a store there gets a new one.
    ///
    /// - Throws: what `destroyPersistentStore(at:ofType:options:)` throws.
    public func destroyPersistentStore(
        at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
    }

    /// What `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)` does.
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

    /// Puts a copy of one store in another's place, or where no store exists.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` saying why not; the destination is then as before.
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
