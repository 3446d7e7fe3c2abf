import CoreDataGraph

/// Leads one store that nobody has open from the model it was made with to another.
struct StoreMigration {
    let store: StoreToOpen
    let source: NSManagedObjectModel

    /// - Throws: 134110 to 134190; the store is then as it was.
    func run() throws {
        guard store.options[NSInferMappingModelAutomaticallyOption] as? Bool == true else {
            throw MigrationErrors.noMappingModel(store.url)
        }
        try migrateByInference()
    }

    private func migrateByInference() throws {
        let outlook = MigrationOutlook(from: source, to: store.model)
        guard outlook.obstacles.isEmpty else {
            throw MigrationErrors.notInferred(outlook.obstacles, url: store.url)
        }
        if store.options[CoreDataMigrationRefusesLossOption] as? Bool == true, !outlook.losses.isEmpty {
            throw MigrationErrors.wouldLose(outlook.losses, url: store.url)
        }
        for loss in outlook.losses {
            guard let hint = loss.hint else { continue }
            Diagnostics.report(
                "CoreData: warning: migrating '\(store.url.path)': \(loss.item.kind.rawValue) \(loss.item.path): "
                    + "\(loss.reason); \(hint).")
        }
        guard let migrating = store.storeClass.schemaMigrating else {
            throw MigrationErrors.noMappingModel(store.url)
        }
        try migrating.migrateSchema(
            SchemaMigrationRequest(
                url: store.url, options: store.options, configuration: store.configuration,
                source: ModelLayout.of(source), destination: ModelLayout.of(store.model)))
    }
}
