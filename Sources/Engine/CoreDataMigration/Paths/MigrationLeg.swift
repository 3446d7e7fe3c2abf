import CoreDataGraph

/// One step from a version to another, by inference or by a mapping model. Each step is atomic.
package struct MigrationLeg {
    package let source: NSManagedObjectModel
    package let destination: NSManagedObjectModel
    /// The mapping model; nil if the step is inferred.
    package let mapping: NSMappingModel?
    /// Whether required attributes that were optional before are allowed: a handler has filled in missing values.
    var expectsValues = false
    /// Whether losses of data are not logged, since the caller already knows of them.
    var isQuiet = false

    static func inferred(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) -> MigrationLeg {
        MigrationLeg(source: source, destination: destination, mapping: nil)
    }

    /// - Throws: 134110 to 134190; the store is then unchanged.
    package func run(_ store: StoreToOpen) throws {
        if let mapping { return try MappedStage(leg: self, mapping: mapping).run(store) }
        let analysis = MigrationAnalysis(from: source, to: destination, configuration: store.configuration)
        let obstacles = analysis.obstacles.filter { !(expectsValues && $0.dependsOnValues) }
        guard obstacles.isEmpty else { throw MigrationErrors.notInferred(obstacles, url: store.url) }
        if store.options[CoreDataMigrationRefusesLossOption] as? Bool == true, !analysis.losses.isEmpty {
            throw MigrationErrors.wouldLose(analysis.losses, url: store.url)
        }
        if !isQuiet { warn(analysis.losses, store.url) }
        guard let migrating = store.storeClass.schemaMigrating else {
            let inferred = try NSMappingModel.inferredMappingModel(
                forSourceModel: source, destinationModel: destination, configuration: store.configuration)
            return try MappedStage(leg: self, mapping: inferred).run(store)
        }
        try migrating.migrateSchema(
            request(store.url, options: store.options, configuration: store.configuration))
    }

    /// Runs the step on a store that is not open, without logging losses, of which the caller already knows.
    ///
    /// - Throws: 134110 to 134190; the store is then unchanged.
    package func runQuietly(
        _ url: URL, configuration: String?, storeClass: NSPersistentStore.Type, type: NSPersistentStore.StoreType
    ) throws {
        if mapping == nil, let migrating = storeClass.schemaMigrating {
            return try migrating.migrateSchema(request(url, configuration: configuration))
        }
        var leg = self
        leg.isQuiet = true
        try leg.run(
            StoreToOpen(
                storeClass: storeClass, type: type.rawValue, url: url, configuration: configuration, options: [:],
                model: destination))
    }

    /// The request to a store type to execute or to plan the step.
    package func request(
        _ url: URL, options: [AnyHashable: Any] = [:], configuration: String?
    ) -> SchemaMigrationRequest {
        SchemaMigrationRequest(
            url: url, options: options, configuration: configuration, source: ModelLayout.of(source),
            destination: ModelLayout.of(destination))
    }

    /// Logs a warning, with a hint how to keep the data, for each loss that looks like a renaming.
    private func warn(_ losses: [MigrationAnalysis.Finding], _ url: URL) {
        for loss in losses {
            guard let hint = loss.hint else { continue }
            CoreDataLogging.report(
                .warning,
                "migrating '\(url.path)': \(loss.item.kind.rawValue) \(loss.item.path): \(loss.reason); \(hint).",
                metadata: [CoreDataLogging.MetadataKey.store: url.storeNameInMessages])
        }
    }
}
