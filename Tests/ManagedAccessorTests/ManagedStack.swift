import CoreData
import ManagedModel
import ManagedTypes
import StoreContract

/// A store of the classes whose `@NSManaged` properties the plugin made accessors for.
enum ManagedStack {
    static func make() throws -> Stack { try Stack(model(), kind: .inMemory) }

    static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Creature", class: "ManagedTypes.Creature",
            ["name": .stringAttributeType, "born": .dateAttributeType])
        builder.entity("Knight", in: "Creature", class: "ManagedModel.Knight", heroAttributes)
        builder.entity("Villain", in: "Knight", class: "ManagedModel.Villain", ["plan": .stringAttributeType])
        builder.entity("Skill", class: "ManagedModel.Skill", ["source": .stringAttributeType])
        builder.entity("Gadget", in: "Skill", class: "ManagedModel.Gadget", ["battery": .doubleAttributeType])
        builder.entity("Item", class: "ManagedModel.Item", ["label": .stringAttributeType])
        builder.entity("Lair", class: "ManagedModel.Places.Lair", ["depth": .integer32AttributeType])
        builder.entity("Room", class: "ManagedModel.Places.Lair.Room", ["label": .stringAttributeType])
        builder.entity("Trophy", class: "ManagedAccessorTests.Trophy", ["metal": .stringAttributeType])
        builder.relationship("Creature.friends*", to: "Creature")
        builder.relationships("Knight.powers*", "Skill.hero")
        builder.relationships("Knight.items*!", "Item.hero")
        builder.relationships("Knight.lair", "Lair.owner")
        builder.relationship("Lair.rooms*", to: "Room")
        builder.relationship("Villain.nemesis", to: "Knight")
        builder.relationship("Trophy.winner", to: "Knight")
        let fans = NSFetchedPropertyDescription()
        fans.name = "fans"
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = builder["Knight"]
        request.predicate = NSPredicate(format: "motto == 'FAN'")
        fans.fetchRequest = request
        builder["Knight"].properties.append(fans)
        return builder.model
    }

    private static let heroAttributes: KeyValuePairs<String, NSAttributeType> = [
        "title": .stringAttributeType, "age": .integer16AttributeType, "count": .integer32AttributeType,
        "total": .integer64AttributeType, "isActive": .booleanAttributeType, "speed": .doubleAttributeType,
        "weight": .floatAttributeType, "fee": .decimalAttributeType, "score": .integer32AttributeType,
        "picture": .binaryDataAttributeType, "token": .UUIDAttributeType, "link": .URIAttributeType,
        "grade": .integer16AttributeType, "shelter": .stringAttributeType, "tags": .transformableAttributeType,
        "settings": .transformableAttributeType, "default": .stringAttributeType, "readable": .stringAttributeType,
        "shared": .stringAttributeType, "secret": .stringAttributeType, "alias": .stringAttributeType,
        "motto": .stringAttributeType, "origin": .stringAttributeType, "note": .stringAttributeType,
    ]
}

/// A class of the tests' own module, whose property leads to a class of another.
final class Trophy: NSManagedObject {
    @NSManaged var metal: String?
    @NSManaged var winner: Knight?
}
