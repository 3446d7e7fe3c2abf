import CoreDataGraph
import CoreDataMigration
import CoreDataSQLite
import Foundation

/// The stores of a schema. May be used on any thread.
public final class ModelContainer: @unchecked Sendable {
    public let schema: Schema
    public let configurations: Set<ModelConfiguration>
    /// The stores, for code that uses them through Core Data.
    package let coordinator: NSPersistentStoreCoordinator
    /// Made and used on the main actor alone.
    @MainActor private var main: ModelContext?

    /// Opens or makes the stores of a schema.
    ///
    /// - Throws: `SwiftDataError.loadIssueModelContainer` for a schema that cannot be stored, an error of
    ///   `CocoaError` for a store that cannot be opened.
    public init(for schema: Schema, configurations: [ModelConfiguration]) throws {
        if let problem = schema.problems.first { throw problem }
        let given = configurations.isEmpty ? [ModelConfiguration()] : configurations
        try Self.check(given, schema)
        self.schema = schema
        self.configurations = Set(given)
        let model = schema.makeManagedObjectModel()
        for configuration in given where configuration.schema != nil {
            let names = Set(configuration.schema?.entities.map(\.name) ?? [])
            model.setEntities(
                model.entities.filter { entity in entity.name.map(names.contains) ?? false },
                forConfigurationName: configuration.name)
        }
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for configuration in given { try configuration.open(in: coordinator) }
    }

    /// Opens or makes the stores of a schema.
    public convenience init(for schema: Schema, configurations: ModelConfiguration...) throws {
        try self.init(for: schema, configurations: configurations)
    }

    /// Opens or makes the stores of model classes and those that they are related to.
    public convenience init(for types: any PersistentModel.Type..., configurations: ModelConfiguration...) throws {
        try self.init(for: Schema(types), configurations: configurations)
    }

    /// The context of the main thread.
    @MainActor public var mainContext: ModelContext {
        if let main { return main }
        let made = ModelContext(self, concurrencyType: .mainQueueConcurrencyType)
        main = made
        return made
    }

    private static func check(_ configurations: [ModelConfiguration], _ schema: Schema) throws {
        var urls: Set<URL> = []
        for configuration in configurations {
            guard configuration.isStoredInMemoryOnly || urls.insert(configuration.url).inserted else {
                throw SwiftDataError.duplicateConfiguration.stating(
                    "Two configurations name the file \(configuration.url.path).")
            }
            let known = Set(schema.plans.map { ObjectIdentifier($0.type) })
            if let stranger = configuration.schema?.plans.first(where: { !known.contains(ObjectIdentifier($0.type)) }) {
                throw SwiftDataError.configurationSchemaNotFoundInContainerSchema.stating(
                    "Configuration '\(configuration.name)' has \(stranger.name), which the container's schema lacks.")
            }
        }
    }
}

extension ModelConfiguration {
    fileprivate func open(in coordinator: NSPersistentStoreCoordinator) throws {
        let place = isStoredInMemoryOnly ? nil : url
        if let place, allowsSave {
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        var options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        if !isStoredInMemoryOnly { options[NSPersistentHistoryTrackingKey] = true }
        if !allowsSave { options[NSReadOnlyPersistentStoreOption] = true }
        _ = try coordinator.addPersistentStore(
            ofType: isStoredInMemoryOnly ? NSInMemoryStoreType : NSSQLiteStoreType,
            configurationName: schema == nil ? Schema.configurationName : name, at: place, options: options)
    }
}
