import CoreDataGraph
import StoreContract

/// A person with typed accessors, a transient, a computed and a customised property.
class ReadPerson: NSManagedObject {
    override class var propertyTable: PropertyTable { table }
    static let table = PropertyTable([
        .stored("age"), .stored("height"), .stored("name"), .stored("born"), .stored("flag"),
        .custom("nick") { object in
            (object.primitiveValue(forKey: "nick") as? String).map { $0.uppercased() }
        } set: { object, value in
            object.setPrimitiveValue(value, forKey: "nick")
        },
        .custom("double") { object in
            guard let person = object as? ReadPerson else { return nil }
            person.doubleReads += 1
            return person.age * 2
        },
    ])

    /// How often the computed property was read.
    var doubleReads = 0

    var age: Int64 {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var height: Double {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
    var name: String? {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }
    var born: Date? {
        get { attribute(3) }
        set { setAttribute(3, newValue) }
    }
    var flag: Bool {
        get { attribute(4) }
        set { setAttribute(4, newValue) }
    }

    static func stack() throws -> Stack {
        let builder = ModelBuilder()
        for (entity, objectClass) in [("Person", "ReadPerson"), ("Teller", "OverridingPerson")] {
            builder.entity(
                entity, class: "CoreDataGraphTests.\(objectClass)",
                [
                    "age": .integer64AttributeType, "height": .doubleAttributeType, "name": .stringAttributeType,
                    "born": .dateAttributeType, "flag": .booleanAttributeType, "nick": .stringAttributeType,
                    "passing": .integer64AttributeType,
                ])
            builder.attribute("\(entity).passing").isTransient = true
        }
        return try Stack(builder.model, kind: .inMemory)
    }
}

/// A person that reads its age by key in a way of its own.
final class OverridingPerson: ReadPerson {
    override func value(forKey key: String) -> Any? {
        key == "age" ? NSNumber(value: 100) : super.value(forKey: key)
    }
}
