import CoreDataGraph

/// A step that a mapping model describes: a new store is made beside the old one and put in its place.
///
/// The old store is not changed before the new one is complete; then it is replaced atomically. The new one has a new
/// identity, new keys and a new history, so former tokens have expired. Where other connections may have the store
/// open, the store type locks them out and exchanges the two.
struct MappedStage {
    let leg: MigrationLeg
    let mapping: NSMappingModel

    /// - Throws: what `NSMigrationManager` throws, and `NSMigrationError` where another connection has the store open or changes it
    ///   meanwhile.
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
                // A store type with one plain file.
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

    /// Shows whether a file or its log was written: sizes and times of the last change. An empty log equals a missing one.
    private static func state(of url: URL) -> [[Int]] {
        ["", "-wal"].map { suffix in
            var status = stat()
            guard stat(url.path + suffix, &status) == 0, status.st_size > 0 else { return [] }
            return [Int(status.st_ino), Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
        }
    }
}
