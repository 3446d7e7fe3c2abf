import CoreDataGraph

/// A step with a mapping model: a new store is made beside the old one and then replaces it.
///
/// The old store stays unchanged until the new one is complete, and is then replaced atomically. The new store has a
/// new UUID, new keys and a new history, so that history tokens of the old store have expired. If other connections may
/// have the store open, the store type locks them out and exchanges the stores.
struct MappedStage {
    let leg: MigrationLeg
    let mapping: NSMappingModel

    /// - Throws: the errors of `NSMigrationManager`, and `NSMigrationError` if another connection has the store open or
    ///   changes it meanwhile.
    func run(_ store: StoreToOpen) throws {
        let type = store.storeClass
        if let exchanging = type.schemaMigrating?.storeExchanging {
            let request = SchemaMigrationRequest(
                url: store.url, options: store.options, configuration: store.configuration,
                source: ModelLayout.of(leg.source), destination: ModelLayout.of(leg.destination))
            return try exchanging.exchangeStore(request) { exchange in
                try migrate(store, from: exchange.source, exchange.sourceOptions, to: exchange.destination)
            }
        }
        try type.schemaMigrating?.requireNoOtherConnection(at: store.url, options: store.options)
        let owner = TemporaryStoreOwner(for: store.url, purpose: "migrating")
        defer { owner.release() }
        let temporary = owner.temporary
        let before = Self.state(of: store.url)
        try migrate(store, from: store.url, sourceOptions(store), to: temporary)
        defer {
            if let administering = type.administration {
                administering.discardStore(at: temporary)
            } else {
                // The store type has one plain file for each store.
                try? FileManager.default.removeItem(at: temporary)
            }
        }
        guard Self.state(of: store.url) == before else {
            throw CoreDataError.make(
                NSMigrationError,
                "The store '\(store.url.path)' was changed by somebody else while it was migrated; it is as they left it.",
                hint: "Close it there, then migrate again.", userInfo: [NSFilePathErrorKey: store.url.path])
        }
        try NSPersistentStoreCoordinator(managedObjectModel: leg.destination).replacePersistentStore(
            at: store.url, destinationOptions: nil, withPersistentStoreFrom: temporary, sourceOptions: nil,
            ofType: store.type)
    }

    private func migrate(
        _ store: StoreToOpen, from source: URL, _ options: [AnyHashable: Any], to destination: URL
    ) throws {
        let type = store.storeClass as? NSPersistentStore.Type
        let named = type?.migrationManagerClass() as? NSMigrationManager.Type
        let manager = (named ?? NSMigrationManager.self).init(
            sourceModel: leg.source, destinationModel: leg.destination)
        manager.configuration = store.configuration
        try manager.migrateStore(
            from: source, sourceType: store.type, options: options, with: mapping, toDestinationURL: destination,
            destinationType: store.type, destinationOptions: nil)
    }

    private func sourceOptions(_ store: StoreToOpen) -> [AnyHashable: Any] {
        store.options.filter { $0.key as? String == NSPersistentStoreTimeoutOption }
    }

    /// The inode numbers, sizes and modification times of a file and its write-ahead log, which show whether others
    /// wrote to them. An empty log counts as a missing one.
    private static func state(of url: URL) -> [[Int]] {
        ["", "-wal"].map { suffix in
            var status = stat()
            guard stat(url.path + suffix, &status) == 0, status.st_size > 0 else { return [] }
            return [Int(status.st_ino), Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
        }
    }
}
