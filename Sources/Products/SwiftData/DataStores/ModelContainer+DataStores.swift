import CoreDataGraph
import Foundation

extension ModelContainer {
    /// Opens the stores of one's own that configurations describe.
    ///
    /// They may not be mixed with `ModelConfiguration` in one container.
    /// - Parameter migrationPlan: the plan that is handed to each store, which migrates itself.
    /// - Throws: `SwiftDataError.loadIssueModelContainer` for a schema that cannot be stored, what `validate()` of a
    ///   configuration throws, or the initializer of its store.
    @_disfavoredOverload
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [any DataStoreConfiguration]
    ) throws {
        if let problem = schema.problems.first { throw problem }
        let model = schema.makeManagedObjectModel()
        for configuration in configurations {
            let names = Set((configuration.schema ?? schema).entities.map(\.name))
            model.setEntities(
                model.entities.filter { entity in entity.name.map(names.contains) ?? false },
                forConfigurationName: configuration.name)
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        DataStoreAdapter.register()
        var opened: [any OwnStore] = []
        for configuration in configurations {
            let store = DataStoreAdapter.Opened(store: try configuration.open(schema, migrationPlan))
            let adapter = try coordinator.addPersistentStore(
                ofType: DataStoreAdapter.storeType, configurationName: configuration.name,
                at: DataStoreAdapter.place(of: store), options: [DataStoreAdapter.option: store])
            opened.append(OpenedStore(store: store.store, adapter: adapter))
        }
        self.init(schema, coordinator, opened, migrationPlan)
    }

    /// Opens the stores of one's own that configurations describe, for model classes and those that they are related
    /// to.
    @_disfavoredOverload
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: any DataStoreConfiguration...
    ) throws {
        try self.init(for: Schema(types), migrationPlan: migrationPlan, configurations: configurations)
    }
}

/// A store of one's own that a container has opened, with the store by which the graph sees it.
private struct OpenedStore: OwnStore {
    let store: any DataStoreAccess
    let adapter: NSPersistentStore

    func erase() throws { try adapter.serialized { try store.erase() } }

    func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
        try adapter.serialized { try store.fetchHistory(descriptor) }
    }

    func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
        try adapter.serialized { try store.deleteHistory(descriptor) }
    }
}
