import CoreData
import StoreContract

/// A model with every type of attribute and every shape of relationship, and what tests do with stores of it.
enum FileStoreModel {
    static func make(adding attribute: String? = nil) -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Thing",
            [
                "text": .stringAttributeType, "flag": .booleanAttributeType, "small": .integer16AttributeType,
                "middle": .integer32AttributeType, "large": .integer64AttributeType, "single": .floatAttributeType,
                "real": .doubleAttributeType, "price": .decimalAttributeType, "date": .dateAttributeType,
                "data": .binaryDataAttributeType, "uuid": .UUIDAttributeType, "link": .URIAttributeType,
                "form": .transformableAttributeType,
            ])
        builder.entity("Special", in: "Thing", ["note": .stringAttributeType])
        builder.entity("Group", ["name": .stringAttributeType])
        builder.relationships("Group.things*!", "Thing.group")
        builder.relationships("Thing.friends*", "Thing.admirers*")
        builder.relationship("Group.chief", to: "Thing")
        if let attribute { builder["Group"].properties.append(Self.attribute(attribute)) }
        return builder.model
    }

    private static func attribute(_ name: String) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = .stringAttributeType
        attribute.isOptional = true
        return attribute
    }

    /// A stack with a group, its things in an order, and friends.
    static func fill(_ stack: Stack, count: Int = 5) throws {
        let group = stack.context.insert("Group", ["name": "Group"])
        let things = (0..<count).map { stack.context.insert($0 % 2 == 0 ? "Thing" : "Special", ["large": $0]) }
        group.setValue(NSOrderedSet(array: things.reversed()), forKey: "things")
        for (thing, other) in zip(things, things.dropFirst()) {
            thing.setValue(NSSet(object: other), forKey: "friends")
        }
        group.setValue(things.first, forKey: "chief")
        try stack.context.save()
    }

    /// All that a context finds, as text.
    static func content(_ context: NSManagedObjectContext) throws -> [String] {
        let groups = try context.all("Group").map { group in
            let things = (group.value(forKey: "things") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
            return "\(group.value(forKey: "name") ?? "nil"): \(things.map { $0.value(forKey: "large") ?? "nil" })"
        }
        let things = try context.all("Thing").map { thing in
            let friends = (thing.value(forKey: "friends") as? Set<NSManagedObject> ?? []).map {
                "\($0.value(forKey: "large") ?? "nil")"
            }
            return "\(thing.entity.name ?? "") \(thing.value(forKey: "large") ?? "nil") \(friends.sorted())"
        }
        return (groups + things).sorted()
    }
}
