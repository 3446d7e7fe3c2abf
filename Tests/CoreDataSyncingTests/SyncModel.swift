import CoreData
import StoreContract

/// The model of these tests: every kind of value and of relationship.
enum SyncModel {
    static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Item",
            [
                "label": .stringAttributeType, "count": .integer64AttributeType, "small": .integer16AttributeType,
                "flag": .booleanAttributeType, "real": .doubleAttributeType, "single": .floatAttributeType,
                "money": .decimalAttributeType, "date": .dateAttributeType, "data": .binaryDataAttributeType,
                "large": .binaryDataAttributeType, "uuid": .UUIDAttributeType, "uri": .URIAttributeType,
                "words": .transformableAttributeType, "visits": .integer64AttributeType,
            ])
        builder.entity("Special", in: "Item", ["extra": .stringAttributeType])
        builder.entity("Owner", ["label": .stringAttributeType, "code": .stringAttributeType])
        builder.entity("Tag", ["label": .stringAttributeType])
        builder.attribute("Item.large").allowsExternalBinaryDataStorage = true
        builder.attribute("Item.visits").userInfo = ["sync.merge": "counter"]
        builder.attribute("Item.visits").defaultValue = 0
        builder.attribute("Item.words").valueTransformerName = "NSSecureUnarchiveFromData"
        builder["Owner"].uniquenessConstraints = [["code"]]
        builder.derived("Owner.upper", .stringAttributeType, "canonical:(label)")
        builder.relationships("Owner.items*", "Item.owner")
        builder.relationships("Owner.list*!", "Item.listOwner", .cascadeDeleteRule)
        builder.relationships("Item.tags*", "Tag.items*")
        builder.relationship("Tag.seen*", to: "Owner")
        builder["Item"].properties.append(composite())
        return builder.model
    }

    private static func composite() -> NSCompositeAttributeDescription {
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.isOptional = true
        place.elements = [("city", NSAttributeType.stringAttributeType), ("floor", .integer32AttributeType)].map {
            let element = NSAttributeDescription()
            element.name = $0.0
            element.attributeType = $0.1
            element.isOptional = true
            return element
        }
        return place
    }
}

/// All objects of a store as text: entities, values and relationships by labels.
enum StoreDump {
    static func text(_ coordinator: NSPersistentStoreCoordinator) throws -> String {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            var lines: [String] = []
            for entity in coordinator.managedObjectModel.entities where entity.superentity == nil {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                for object in try context.fetch(request) { lines.append(line(object)) }
            }
            return lines.sorted().joined(separator: "\n")
        }
    }

    /// The lines that only one of two texts has.
    static func difference(_ one: String, _ other: String) -> [String] {
        let (left, right) = (Set(one.split(separator: "\n")), Set(other.split(separator: "\n")))
        return left.subtracting(right).map { "- " + $0 }.sorted() + right.subtracting(left).map { "+ " + $0 }.sorted()
    }

    private static func line(_ object: NSManagedObject) -> String {
        var parts = [object.entity.name ?? ""]
        for (name, _) in object.entity.attributesByName.sorted(by: { $0.key < $1.key }) {
            parts.append("\(name)=\(text(object.value(forKey: name)))")
        }
        for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
            let value = object.value(forKey: name)
            let labels: [String]
            if relationship.isOrdered {
                labels = ((value as? NSOrderedSet)?.array ?? []).map(label)
            } else if relationship.isToMany {
                labels = ((value as? NSSet)?.allObjects ?? []).map(label).sorted()
            } else {
                labels = value.map { [label($0)] } ?? []
            }
            parts.append("\(name)=[\(labels.joined(separator: ","))]")
        }
        return parts.joined(separator: " ")
    }

    private static func label(_ object: Any) -> String {
        (object as? NSManagedObject)?.value(forKey: "label") as? String ?? "?"
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case nil: "nil"
        case let data as Data: "\(data.count):\(data.reduce(0) { ($0 &* 31) &+ Int($1) })"
        case let date as Date: "\(date.timeIntervalSinceReferenceDate.bitPattern)"
        case let words as NSArray: words.map { "\($0)" }.joined(separator: "/")
        case let elements as [String: Any]:
            elements.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
        case let number as NSDecimalNumber: number.stringValue
        case let value?: "\(value)"
        }
    }
}
