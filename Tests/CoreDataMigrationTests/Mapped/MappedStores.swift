import CoreData
import TestBasics
import Testing

/// A store of an old model and the place for the migrated one, in a folder of their own.
struct MappedStores {
    let folder: URL
    let old: NSManagedObjectModel
    let new: NSManagedObjectModel
    var type = NSSQLiteStoreType

    var source: URL { folder.appendingPathComponent("Old.sqlite") }
    var destination: URL { folder.appendingPathComponent("New.sqlite") }

    init(_ old: NSManagedObjectModel, _ new: NSManagedObjectModel) throws {
        folder = try Fixtures.temporaryFolder()
        self.old = old
        self.new = new
    }

    /// Models of two texts, each the entities of a model's source.
    init(_ old: String, _ new: String) throws {
        try self.init(try Self.model(old), try Self.model(new))
    }

    static func model(_ entities: String) throws -> NSManagedObjectModel {
        try NSManagedObjectModel(source: Data("<model>\(entities)</model>".utf8))
    }

    static func context(
        _ model: NSManagedObjectModel, _ url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Closes a context's store.
    static func close(_ context: NSManagedObjectContext) throws {
        context.reset()
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
    }

    /// Fills the source store.
    func fill(_ body: (NSManagedObjectContext) throws -> Void) throws {
        let context = try Self.context(old, source)
        try body(context)
        try context.save()
        try Self.close(context)
    }

    /// Reads the migrated store.
    func read<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let context = try Self.context(new, destination)
        let result = try body(context)
        try Self.close(context)
        return result
    }

    /// A manager that goes through the objects, also where the store could do without.
    func manager() -> NSMigrationManager {
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        manager.usesStoreSpecificMigrationManager = false
        return manager
    }

    func migrate(_ mapping: NSMappingModel, _ manager: NSMigrationManager? = nil) throws {
        try (manager ?? self.manager()).migrateStore(
            from: source, type: .sqlite, mapping: mapping, to: destination, type: .sqlite)
    }

    /// A migration that has to fail; the source is the same to the byte then and nothing is left beside it.
    func failure(
        _ mapping: NSMappingModel?, _ manager: NSMigrationManager? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) throws -> NSError {
        let before = try Data(contentsOf: source)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let manager = manager ?? self.manager()
        let error = #expect(throws: (any Error).self, sourceLocation: location) {
            try manager.migrateStore(
                from: source, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
                toDestinationURL: destination, destinationType: NSSQLiteStoreType, destinationOptions: nil)
        }
        #expect(try Data(contentsOf: source) == before, "the source has changed", sourceLocation: location)
        let after = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        // Reading a store may leave the index of its log.
        let isOfReading = { (name: String) in name.hasPrefix("Old.sqlite-") }
        #expect(after.filter { !isOfReading($0) } == names.filter { !isOfReading($0) }, sourceLocation: location)
        return try #require(error as NSError?, sourceLocation: location)
    }

    static func all(_ entity: String, _ context: NSManagedObjectContext, by key: String? = nil) throws
        -> [NSManagedObject]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return try context.fetch(request)
    }

    static func insert(
        _ entity: String, _ context: NSManagedObjectContext, _ values: [String: Any?] = [:]
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }
}

extension NSMappingModel {
    /// A mapping model of mappings that are made in code.
    convenience init(_ mappings: NSEntityMapping...) {
        self.init()
        entityMappings = mappings
    }
}

extension NSEntityMapping {
    /// A mapping from one entity to another, with the texts of the expressions of its properties; nil for a blank one.
    convenience init(
        _ source: String?, _ destination: String?, name: String? = nil,
        type: NSEntityMappingType = .transformEntityMappingType, policy: String? = nil,
        attributes: KeyValuePairs<String, String?> = [:], relationships: KeyValuePairs<String, String?> = [:]
    ) {
        self.init()
        self.name = name ?? [source, destination].compactMap { $0 }.joined(separator: "To")
        sourceEntityName = source
        destinationEntityName = destination
        mappingType = type
        entityMigrationPolicyClassName = policy
        attributeMappings = attributes.map { Self.property($0.key, $0.value) }
        relationshipMappings = relationships.map { Self.property($0.key, $0.value) }
    }

    private static func property(_ name: String, _ format: String?) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = name
        mapping.valueExpression = format.map { NSExpression(format: $0) }
        return mapping
    }

    /// The expression that leads to what a mapping made of the objects of a relationship.
    static func mapped(_ name: String, _ path: String) -> String {
        "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"\(name)\", $source.\(path))"
    }

    static func mapped(relationship: String) -> String {
        "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"\(relationship)\", "
            + "$source.\(relationship))"
    }
}
