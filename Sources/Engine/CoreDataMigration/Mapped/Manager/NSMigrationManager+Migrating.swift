import CoreDataGraph

extension NSMigrationManager: MigrationWork {
    /// Makes a store at `to` by applying a mapping model to the objects of the store at `from`.
    func migrate(_ from: StorePlace, with mappings: NSMappingModel?, to: StorePlace) throws {
        guard currentEntityMapping == nil else { stop("An NSMigrationManager carries out one migration at a time.") }
        guard let mappings else {
            throw MigrationFailure.make(
                NSMigrationMissingMappingModelError, "There is no mapping model for the migration.",
                hint: "Give one, such as NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:).")
        }
        reset()
        mappingModel = mappings
        let (steps, policies) = try MappingReview(sourceModel, destination: destinationModel, mappingModel: mappings)
            .steps()
        if let migration = StoreSpecificMigration(self, mappings, from: from, to: to) {
            begin()
            try migration.run()
            return note(progress: 1)
        }
        let session = try MigrationSession(
            steps, sourceModel: sourceModel, destinationModel: destinationModel, configuration: configuration,
            from: from, to: to)
        begin()
        self.session = session
        defer { currentEntityMapping = nil }
        do {
            try MappedMigration(self, session, policies: policies).run()
            note(progress: 1)
        } catch {
            session.discard()
            self.session = nil
            throw error
        }
        if !session.destination.isOpen { self.session = nil }
    }

    /// Migrates a store: makes another store, of the destination model, by applying a mapping model to the objects of
    /// the first.
    ///
    /// - Throws: what `migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)`
    ///   throws.
    public func migrateStore(
        from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
        options sourceOptions: [AnyHashable: Any]? = nil,
        mapping: NSMappingModel, to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
        options destinationOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrateStore(
            from: sourceURL, sourceType: sourceType.rawValue, options: sourceOptions, with: mapping,
            toDestinationURL: destinationURL, destinationType: destinationType.rawValue,
            destinationOptions: destinationOptions)
    }
}
