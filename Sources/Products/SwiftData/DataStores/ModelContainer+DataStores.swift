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
        var opened: [OwnStore] = []
        for configuration in configurations {
            let store = DataStoreAdapter.Opened(store: try configuration.open(schema, migrationPlan))
            let adapter = try coordinator.addPersistentStore(
                ofType: DataStoreAdapter.storeType, configurationName: configuration.name,
                at: DataStoreAdapter.place(of: store), options: [DataStoreAdapter.option: store])
            opened.append(OwnStore(store: store.store, adapter: adapter))
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

    /// The transactions of a type in the histories of one's own stores.
    func ownHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T] {
        let histories = try ownStores.compactMap { own in try own.using { try $0.fetchHistory(descriptor) } }
        guard !histories.isEmpty else { throw noHistory(T.self) }
        guard histories.count > 1 else { return histories[0] }
        let all = histories.joined()
        let sorted =
            descriptor.sortBy.isEmpty
            ? all.sorted { $0.timestamp < $1.timestamp } : all.sorted(using: descriptor.sortBy)
        return descriptor.fetchLimit > 0 ? Array(sorted.prefix(Int(clamping: descriptor.fetchLimit))) : sorted
    }

    /// Deletes transactions of a type from the histories of one's own stores.
    func deleteOwnHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
        let deleted = try ownStores.map { own in try own.using { try $0.deleteHistory(descriptor) } }
        guard deleted.contains(true) else { throw noHistory(T.self) }
    }

    private func noHistory<T>(_ type: T.Type) -> SwiftDataError {
        SwiftDataError.invalidTransactionFetchRequest.stating(
            "No store of the container is a HistoryProviding with transactions of \(T.self).")
    }
}

/// A store of one's own in a container.
struct OwnStore {
    private let store: any DataStoreAccess
    private let adapter: NSPersistentStore

    init(store: any DataStoreAccess, adapter: NSPersistentStore) { (self.store, self.adapter) = (store, adapter) }

    /// Uses the store while no other thread does.
    func using<Result>(_ body: (any DataStoreAccess) throws -> Result) rethrows -> Result {
        try adapter.serialized { try body(store) }
    }
}
