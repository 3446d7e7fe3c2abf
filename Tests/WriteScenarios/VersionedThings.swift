import CoreData
import StoreContract

/// Three versions of a model for processes that migrate a store at once: the second is inferred from the first, the third needs a
/// mapping model, of which a policy of the program is a part.
package enum VersionedThings {
    /// How many things the store of a test has.
    package static let count = 20

    package static func old() -> NSManagedObjectModel { make { $0.entity("Thing", ["title": .stringAttributeType]) } }

    package static func inferred() -> NSManagedObjectModel {
        make { builder in
            builder.entity("Thing", ["title": .stringAttributeType, "color": .stringAttributeType])
            builder.attribute("Thing.color").defaultValue = "blue"
        }
    }

    /// Titles have become their lengths; places are new.
    package static func mapped() -> NSManagedObjectModel {
        make { builder in
            builder.entity("Thing", ["title": .integer64AttributeType, "note": .stringAttributeType])
            builder.entity("Place", ["name": .stringAttributeType])
        }
    }

    private static func make(_ build: (ModelBuilder) -> Void) -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Owner", ["name": .stringAttributeType])
        build(builder)
        builder.relationships("Owner.things*", "Thing.owner")
        return builder.model
    }

    package static func fill(_ context: NSManagedObjectContext, count: Int = count) {
        let owner = context.insert("Owner", ["name": "Ada"])
        for number in 0..<count {
            context.insert("Thing", ["title": String(repeating: "x", count: number), "owner": owner])
        }
    }

    /// Writes the mapping model to a folder; gives the options that migrate a store with it.
    package static func options(in folder: URL) throws -> [AnyHashable: Any] {
        NotingPolicy.register(named: "NotingPolicy")
        let file = folder.appendingPathComponent("OldToMapped.cdm")
        if !FileManager.default.fileExists(atPath: file.path) { try mapping().compiledData().write(to: file) }
        return [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            CoreDataMigrationResourcesOption: [folder],
        ]
    }

    /// Makes the third version of the first.
    package static func mapping() -> NSMappingModel {
        let model = NSMappingModel()
        let find =
            "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"OwnerToOwner\", "
            + "$source.owner)"
        let things = entity("Thing", ["title": "length:($source.title)"], ["owner": find])
        things.entityMigrationPolicyClassName = "NotingPolicy"
        model.entityMappings = [entity("Owner", ["name": "$source.name"], [:]), things]
        let (old, new) = (old(), mapped())
        for mapping in model.entityMappings {
            mapping.sourceEntityVersionHash = mapping.sourceEntityName.flatMap { old.entitiesByName[$0]?.versionHash }
            mapping.destinationEntityVersionHash = mapping.destinationEntityName.flatMap {
                new.entitiesByName[$0]?.versionHash
            }
        }
        return model
    }

    private static func entity(
        _ name: String, _ attributes: [String: String], _ relationships: [String: String]
    ) -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = "\(name)To\(name)"
        mapping.mappingType = .customEntityMappingType
        (mapping.sourceEntityName, mapping.destinationEntityName) = (name, name)
        func properties(_ expressions: [String: String]) -> [NSPropertyMapping] {
            expressions.map { name, text in
                let property = NSPropertyMapping()
                property.name = name
                property.valueExpression = NSExpression(format: text)
                return property
            }
        }
        mapping.attributeMappings = properties(attributes)
        mapping.relationshipMappings = properties(relationships)
        return mapping
    }

    /// What is wrong with the objects of a migrated store, in words; empty for nothing.
    package static func faults(
        _ context: NSManagedObjectContext, isMapped: Bool, count: Int = count
    ) throws -> [String] {
        var faults: [String] = []
        let things = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
        if things.count != count { faults.append("\(things.count) things") }
        let owners = Set(things.compactMap { $0.value(forKeyPath: "owner.name") as? String })
        if owners != ["Ada"] { faults.append("owners \(owners)") }
        if isMapped {
            let titles = things.compactMap { $0.value(forKey: "title") as? Int }.sorted()
            if titles != Array(0..<count) { faults.append("titles \(titles.prefix(50))") }
            if !things.allSatisfy({ $0.value(forKey: "note") as? String == "noted" }) { faults.append("notes") }
        } else if !things.allSatisfy({ $0.value(forKey: "color") as? String == "blue" }) {
            faults.append("colors")
        }
        return faults
    }
}

/// Notes on each object that it was there, and tells who wants to know of the middle of a migration.
package final class NotingPolicy: NSEntityMigrationPolicy {
    /// Called when half of the things of a test are made; set before the migration begins.
    nonisolated(unsafe) package static var whenMidway: (() throws -> Void)?
    nonisolated(unsafe) private static var made = 0

    override package func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws { Self.made = 0 }

    override package func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        for object in manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]) {
            object.setValue("noted", forKey: "note")
        }
        Self.made += 1
        if Self.made == VersionedThings.count / 2 { try Self.whenMidway?() }
    }
}
