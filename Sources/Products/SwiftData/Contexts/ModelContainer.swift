import CoreDataGraph
import CoreDataMigration
import CoreDataSQLite
import Foundation
import Synchronization

/// The stores of a schema. May be used on any thread.
public final class ModelContainer: @unchecked Sendable {
    /// The models of the container.
    public let schema: Schema
    /// The stores of the container.
    public let configurations: Set<ModelConfiguration>
    /// How stores of older versions are migrated; by inference if nil.
    public let migrationPlan: (any SchemaMigrationPlan.Type)?
    /// The stores, for code that uses them through Core Data.
    package let coordinator: NSPersistentStoreCoordinator
    /// Reports what is saved in the stores, while it has subscribers.
    var changeRelay: StoreChangeRelay {
        relay.withLock { relay in
            let present = relay.object ?? StoreChangeRelay(coordinator)
            relay.object = present
            return present
        }
    }
    private struct WeakRelay { weak var object: StoreChangeRelay? }
    private let relay = Mutex(WeakRelay())
    /// Whether the stores are the program's own.
    var hasOwnStores: Bool { !ownStores.isEmpty }
    /// The program's own stores.
    let ownStores: [any OwnStore]
    /// Made and used on the main actor alone.
    @MainActor private var main: ModelContext?

    /// Opens the stores of configurations that fit a schema.
    ///
    /// - Parameter stages: the stages by which older stores are migrated; by inference if nil.
    init(
        _ schema: Schema, _ configurations: [ModelConfiguration], plan: (any SchemaMigrationPlan.Type)? = nil,
        stages: NSStagedMigrationManager? = nil
    ) throws {
        self.schema = schema
        self.configurations = Set(configurations)
        migrationPlan = plan
        ownStores = []
        let model = schema.makeManagedObjectModel()
        for configuration in configurations where configuration.schema != nil {
            let names = Set(configuration.schema?.entities.map(\.name) ?? [])
            model.setEntities(
                model.entities.filter { entity in entity.name.map(names.contains) ?? false },
                forConfigurationName: configuration.name)
        }
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for configuration in configurations { try configuration.open(in: coordinator, stages) }
    }

    /// A container of stores of the program's own, which are open.
    init(
        _ schema: Schema, _ coordinator: NSPersistentStoreCoordinator, _ stores: [any OwnStore],
        _ plan: (any SchemaMigrationPlan.Type)?
    ) {
        self.schema = schema
        self.coordinator = coordinator
        ownStores = stores
        configurations = []
        migrationPlan = plan
    }

    /// Closes the stores, even if contexts have objects of them.
    func close() {
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    /// Removes all models from the stores. Contexts of the container may not be used until it returns, and forget their models.
    ///
    /// - Throws: an error of a store that cannot be written.
    public func erase() throws {
        for own in ownStores { try own.erase() }
        for configuration in configurations where configuration.allowsSave {
            let place = configuration.isStoredInMemoryOnly ? nil : configuration.url.standardizedFileURL
            for store in coordinator.persistentStores where place == nil || store.url?.standardizedFileURL == place {
                guard place != nil || store.type == NSInMemoryStoreType else { continue }
                try coordinator.remove(store)
                if let place { try coordinator.destroyPersistentStore(at: place, type: .sqlite) }
            }
            try configuration.open(in: coordinator, nil)
        }
    }

    /// Removes all models from the stores; an error is logged.
    public func deleteAllData() {
        do { try erase() } catch { CoreDataLogging.report(.error, "The data could not be deleted: \(error)") }
    }

    /// The context of the main thread.
    @MainActor public var mainContext: ModelContext {
        if let main { return main }
        let made = ModelContext(self, concurrencyType: .mainQueueConcurrencyType)
        main = made
        return made
    }
}

extension ModelConfiguration {
    fileprivate func open(in coordinator: NSPersistentStoreCoordinator, _ stages: NSStagedMigrationManager?) throws {
        let place = isStoredInMemoryOnly ? nil : url
        if let place, allowsSave, !isOnServer {
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        var options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            CoreDataCreatesMissingIndexesOption: true,
        ]
        if !isStoredInMemoryOnly { options[NSPersistentHistoryTrackingKey] = true }
        options[NSPersistentStoreStagedMigrationManagerOptionKey] = stages
        if !allowsSave { options[NSReadOnlyPersistentStoreOption] = true }
        _ = try coordinator.addPersistentStore(
            ofType: storeType,
            configurationName: schema == nil ? Schema.configurationName : name, at: place, options: options)
    }
}
