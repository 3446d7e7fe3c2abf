import CoreData
import CoreDataTestSupport
import ManagedModel
import ManagedTypes

/// A store of the classes whose `@NSManaged` properties the plugin made accessors for.
enum ManagedStack {
    static func make() throws -> Stack { try Stack(model(), kind: .memory) }

    static func model() -> NSManagedObjectModel {
        let draft = ModelDraft()
        draft.entity(
            "Creature", class: "ManagedTypes.Creature",
            ["name": .stringAttributeType, "born": .dateAttributeType])
        draft.entity("Hero", in: "Creature", class: "ManagedModel.Hero", heroAttributes)
        draft.entity("Villain", in: "Hero", class: "ManagedModel.Villain", ["plan": .stringAttributeType])
        draft.entity("Power", class: "ManagedModel.Power", ["source": .stringAttributeType])
        draft.entity("Gadget", in: "Power", class: "ManagedModel.Gadget", ["battery": .doubleAttributeType])
        draft.entity("Item", class: "ManagedModel.Item", ["label": .stringAttributeType])
        draft.entity("Lair", class: "ManagedModel.Places.Lair", ["depth": .integer32AttributeType])
        draft.entity("Room", class: "ManagedModel.Places.Lair.Room", ["label": .stringAttributeType])
        draft.entity("Trophy", class: "ManagedAccessorTests.Trophy", ["metal": .stringAttributeType])
        draft.relationship("Creature.friends*", to: "Creature")
        draft.relationships("Hero.powers*", "Power.hero")
        draft.relationships("Hero.items*!", "Item.hero")
        draft.relationships("Hero.lair", "Lair.owner")
        draft.relationship("Lair.rooms*", to: "Room")
        draft.relationship("Villain.nemesis", to: "Hero")
        draft.relationship("Trophy.winner", to: "Hero")
        let fans = NSFetchedPropertyDescription()
        fans.name = "fans"
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = draft["Hero"]
        request.predicate = NSPredicate(format: "motto == 'FAN'")
        fans.fetchRequest = request
        draft["Hero"].properties.append(fans)
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
    @NSManaged var winner: Hero?
}
