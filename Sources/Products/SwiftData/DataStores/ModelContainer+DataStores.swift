import CoreDataGraph
import Foundation

extension ModelContainer {
    /// Opens the stores of one's own that configurations describe.
    ///
    /// They may not be mixed with `ModelConfiguration` in one container.
    /// - Throws: `SwiftDataError.loadIssueModelContainer` for a schema that cannot be stored, what `validate()` of a
    ///   configuration throws, or the initializer of its store.
    @_disfavoredOverload
    public convenience init(for schema: Schema, configurations: [any DataStoreConfiguration]) throws {
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
        var opened: [DataStoreAdapter.Opened] = []
        for configuration in configurations {
            let store = DataStoreAdapter.Opened(store: try configuration.open(schema, nil))
            opened.append(store)
            _ = try coordinator.addPersistentStore(
                ofType: DataStoreAdapter.storeType, configurationName: configuration.name,
                at: DataStoreAdapter.place(of: store), options: [DataStoreAdapter.option: store])
        }
        self.init(schema, coordinator, erasing: opened.map { opened in { try opened.store.erase() } })
    }

    /// Opens the stores of one's own that configurations describe, for model classes and those that they are related
    /// to.
    @_disfavoredOverload
    public convenience init(
        for types: any PersistentModel.Type..., configurations: any DataStoreConfiguration...
    ) throws {
        try self.init(for: Schema(types), configurations: configurations)
    }
}
