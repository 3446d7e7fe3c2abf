import CoreDataGraph
import CoreDataSQL

/// A model with every type of attribute and every kind of relationship.
@MainActor
enum QueryModel {
    static func make() -> NSManagedObjectModel {
        let sketch = ModelSketch()
        sketch.entity(
            "Person",
            [
                "name": .stringAttributeType, "nick": .stringAttributeType, "small": .integer16AttributeType,
                "medium": .integer32AttributeType, "large": .integer64AttributeType, "flag": .booleanAttributeType,
                "ratio": .doubleAttributeType, "single": .floatAttributeType, "price": .decimalAttributeType,
                "born": .dateAttributeType, "seen": .dateAttributeType, "photo": .binaryDataAttributeType,
                "token": .UUIDAttributeType, "link": .URIAttributeType, "extra": .transformableAttributeType,
            ])
        sketch.entity("Employee", in: "Person", ["salary": .doubleAttributeType])
        sketch.entity("Manager", in: "Employee", ["level": .integer16AttributeType])
        sketch.entity("Department", ["name": .stringAttributeType, "budget": .integer32AttributeType])
        sketch.entity("Company", ["name": .stringAttributeType, "city": .stringAttributeType])
        sketch.entity("Skill", ["name": .stringAttributeType, "rank": .integer16AttributeType])
        sketch.entity("Note", ["text": .stringAttributeType])
        sketch.relationships("Person.department", "Department.people*")
        sketch.relationships("Person.boss", "Person.reports*")
        sketch.relationships("Department.company", "Company.departments*")
        sketch.relationships("Person.skills*", "Skill.people*!")
        sketch.relationship("Person.notes*", to: "Note")
        let friends = sketch.relationship("Person.friends*", to: "Person")
        friends.inverseRelationship = friends
        add(sketch, "age", .integer16AttributeType) { $0.isTransient = true }
        add(sketch, "film", .binaryDataAttributeType) { $0.allowsExternalBinaryDataStorage = true }
        addFetched(sketch)
        addHome(sketch)
        addIndexes(sketch)
        _ = sketch.schema
        return sketch.model
    }

    private static func add(
        _ sketch: ModelSketch, _ name: String, _ type: NSAttributeType, _ change: (NSAttributeDescription) -> Void
    ) {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        change(attribute)
        sketch["Person"].properties.append(attribute)
    }

    private static func addHome(_ sketch: ModelSketch) {
        let home = NSCompositeAttributeDescription()
        home.name = "home"
        home.elements = [("city", NSAttributeType.stringAttributeType), ("number", .integer32AttributeType)].map {
            let element = NSAttributeDescription()
            (element.name, element.attributeType) = $0
            return element
        }
        sketch["Person"].properties.append(home)
    }

    private static func addIndexes(_ sketch: ModelSketch) {
        func index(_ entity: String, _ keys: String...) -> NSFetchIndexDescription {
            let elements = keys.compactMap { key in
                sketch[entity].propertiesByName[key].map {
                    NSFetchIndexElementDescription(property: $0, collationType: .binary)
                }
            }
            return NSFetchIndexDescription(name: keys.joined(), elements: elements)
        }
        sketch["Person"].indexes = [
            index("Person", "name"), index("Person", "small", "medium"), index("Person", "born"),
            index("Person", "token"), index("Person", "price"),
        ]
        sketch["Department"].indexes = [index("Department", "name")]
    }

    private static func addFetched(_ sketch: ModelSketch) {
        let property = NSFetchedPropertyDescription()
        property.name = "similar"
        sketch["Person"].properties.append(property)
    }
}
