import CoreDataModeling

extension NSPersistentStoreCoordinator {
    /// Copies a store to another place or kind, and puts the copy in its place in the coordinator.
    ///
    /// The copy has an identity of its own, so object identifiers change: fetch again afterwards. The program's own
    /// metadata is copied. The old store's file stays as it is, and the old store is no longer of use. Takes the rows in
    /// portions; others wait to save meanwhile. There must be no store at `storeURL`. If the process ends before the
    /// copy is whole, what is there of it is to be destroyed.
    /// - Throws: an error of `NSCocoaErrorDomain` saying why not; the coordinator is then as before.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        let storeClass = try Self.storeClass(ofType: storeType)
        guard persistentStores.contains(where: { $0 === store }) else { throw CoreDataError.foreignStore() }
        let keepsFile = storeType != NSInMemoryStoreType && storeURL.path != "/dev/null"
        if keepsFile { try Self.requireFree(storeURL, storeClass) }
        let wasThere = PlainFile.exists(storeURL)
        return try store.serialized {
            let copy = try open(
                storeClass, configuration: store.configurationName, at: storeURL,
                options: options?.filter { $0.key as? String != NSReadOnlyPersistentStoreOption })
            do {
                try Self.fill(copy, from: store)
            } catch {
                copy.willRemove(from: self)
                if keepsFile, !wasThere { Self.discard(storeURL, storeClass) }
                throw error
            }
            exchange(store, for: copy)
            return copy
        }
    }

    /// Copies a store to another place or kind, and puts the copy in its place in the coordinator.
    ///
    /// - Throws: what `migratePersistentStore(_:to:options:withType:)` throws.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: type.rawValue)
    }

    /// Copies while nobody else, also of another process, can write to the source.
    private static func fill(_ copy: NSPersistentStore, from store: NSPersistentStore) throws {
        guard let source = store.objects, let target = copy.objects else { throw CoreDataError.foreignStore() }
        var copying = StoreCopying(source: store, from: source, destination: copy, to: target)
        if store.capabilities.contains(.shared), !source.isReadOnly {
            _ = try source.save(demand: KeyDemand()) { _ in
                try copying.run()
                return SavePlan()
            }
        } else {
            try copying.run()
        }
        copy.metadata = MetadataRules.merged(store.metadata ?? [:], keeping: copy.metadata ?? [:])
        copy.hasUnsavedMetadata = true
        _ = try target.save(demand: KeyDemand()) { _ in SavePlan() }
        copy.hasUnsavedMetadata = false
    }

    private static func requireFree(_ url: URL, _ storeClass: NSPersistentStore.Type) throws {
        // What cannot be read is no store; whether one may be made there shows when it is opened.
        guard PlainFile.exists(url), (try? storeClass.metadataForPersistentStore(with: url)) != nil else { return }
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "The store cannot be copied to '\(url.path)': there is a store already.",
            hint: "Choose another place, or destroy that store first.", userInfo: [NSFilePathErrorKey: url.path])
    }

    private static func discard(_ url: URL, _ storeClass: NSPersistentStore.Type) {
        if let administering = storeClass as? any StoreAdministering.Type { return administering.discardStore(at: url) }
        // The error that led here is the one to report.
        try? PlainFile.destroy(url)
    }
}

extension CoreDataError {
    static func foreignStore() -> NSError {
        make(
            NSPersistentStoreOperationError, "The store is not among the coordinator's.",
            hint: "Add it first; a store that was removed cannot be used any more.")
    }
}
