import CoreDataGraph

extension NSMigrationManager {
    /// Migrates a store: makes another with the destination model, of what the mapping model makes of its objects.
    ///
    /// The new store has an identity and object identifiers of its own; the program's own metadata is carried over. Large
    /// values and those that a mapping takes over unchanged are the same to the byte. Options that ask for a migration
    /// when a store is added are without effect here. There must be nothing at `dURL`; into a store in memory the result is
    /// in `destinationContext`. Takes time in proportion to the objects, and memory as said of the class.
    /// - Throws: errors of `NSCocoaErrorDomain`, whose user info names `mapping`, `entity`, `property` and `method` as far
    ///   as they are known: 134140 without a mapping model; 134110 for one that does not fit the models, before anything
    ///   is written, for an expression that fails, and for objects that break a rule of the model, with that rule's error
    ///   beneath; 134111 for values that must be unique; 134130 for a store of another model than the source model; 134150
    ///   and 134160 for stores that cannot be opened or made; 134170 for what a policy throws; 134120, or the error that
    ///   was given, for a migration that was cancelled. Nothing is left at the destination then.
    public func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
        with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        guard currentEntityMapping == nil else { stop("An NSMigrationManager carries out one migration at a time.") }
        guard let mappings else {
            throw MigrationFailure.make(
                NSMigrationMissingMappingModelError, "There is no mapping model for the migration.",
                hint: "Give one, such as NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:).")
        }
        reset()
        mappingModel = mappings
        let (steps, policies) = try MappingReview(sourceModel, destinationModel, mappings).steps()
        let from = StorePlace(url: sourceURL, type: sStoreType, options: sOptions ?? [:])
        let to = StorePlace(url: dURL, type: dStoreType, options: dOptions ?? [:])
        if let migration = StoreSpecificMigration(self, mappings, from: from, to: to) {
            begin()
            try migration.run()
            return note(progress: 1)
        }
        let session = try MigrationSession(steps, sourceModel, destinationModel, from: from, to: to)
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

    /// Migrates a store: makes another with the destination model, of what the mapping model makes of its objects.
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
