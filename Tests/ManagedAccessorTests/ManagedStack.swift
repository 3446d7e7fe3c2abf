import CoreData
import ManagedModel
import ManagedTypes
import StoreContract

/// A store of the classes whose `@NSManaged` properties the plugin made accessors for.
enum ManagedStack {
    static func make() throws -> Stack { try Stack(model(), kind: .inMemory) }

    static func model() -> NSManagedObjectModel {
        let draft = ModelDraft()
        draft.entity(
            "Creature", class: "ManagedTypes.Creature",
            ["name": .stringAttributeType, "born": .dateAttributeType])
        draft.entity("Knight", in: "Creature", class: "ManagedModel.Knight", heroAttributes)
        draft.entity("Villain", in: "Knight", class: "ManagedModel.Villain", ["plan": .stringAttributeType])
        draft.entity("Skill", class: "ManagedModel.Skill", ["source": .stringAttributeType])
        draft.entity("Gadget", in: "Skill", class: "ManagedModel.Gadget", ["battery": .doubleAttributeType])
        draft.entity("Item", class: "ManagedModel.Item", ["label": .stringAttributeType])
        draft.entity("Lair", class: "ManagedModel.Places.Lair", ["depth": .integer32AttributeType])
        draft.entity("Room", class: "ManagedModel.Places.Lair.Room", ["label": .stringAttributeType])
        draft.entity("Trophy", class: "ManagedAccessorTests.Trophy", ["metal": .stringAttributeType])
        draft.relationship("Creature.friends*", to: "Creature")
        draft.relationships("Knight.powers*", "Skill.hero")
        draft.relationships("Knight.items*!", "Item.hero")
        draft.relationships("Knight.lair", "Lair.owner")
        draft.relationship("Lair.rooms*", to: "Room")
        draft.relationship("Villain.nemesis", to: "Knight")
        draft.relationship("Trophy.winner", to: "Knight")
        let fans = NSFetchedPropertyDescription()
        fans.name = "fans"
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = draft["Knight"]
        request.predicate = NSPredicate(format: "motto == 'FAN'")
        fans.fetchRequest = request
        draft["Knight"].properties.append(fans)
        return draft.model
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
