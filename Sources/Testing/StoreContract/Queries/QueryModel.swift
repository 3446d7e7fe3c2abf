import CoreDataGraph

/// A model with every type of attribute and every kind of relationship.
@MainActor
package enum QueryModel {
    package static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Person",
            [
                "name": .stringAttributeType, "nick": .stringAttributeType, "small": .integer16AttributeType,
                "medium": .integer32AttributeType, "large": .integer64AttributeType, "flag": .booleanAttributeType,
                "ratio": .doubleAttributeType, "single": .floatAttributeType, "price": .decimalAttributeType,
                "born": .dateAttributeType, "seen": .dateAttributeType, "photo": .binaryDataAttributeType,
                "token": .UUIDAttributeType, "link": .URIAttributeType, "extra": .transformableAttributeType,
            ])
        builder.entity("Employee", in: "Person", ["salary": .doubleAttributeType])
        builder.entity("Manager", in: "Employee", ["level": .integer16AttributeType])
        builder.entity("Department", ["name": .stringAttributeType, "budget": .integer32AttributeType])
        builder.entity("Company", ["name": .stringAttributeType, "city": .stringAttributeType])
        builder.entity("Skill", ["name": .stringAttributeType, "rank": .integer16AttributeType])
        builder.entity("Note", ["text": .stringAttributeType])
        builder.relationships("Person.department", "Department.people*")
        builder.relationships("Person.boss", "Person.reports*")
        builder.relationships("Department.company", "Company.departments*")
        builder.relationships("Person.skills*", "Skill.people*!")
        builder.relationship("Person.notes*", to: "Note")
        builder.reflexive("Person.friends*")
        add(builder, name: "age", type: .integer16AttributeType) { $0.isTransient = true }
        add(builder, name: "film", type: .binaryDataAttributeType) { $0.allowsExternalBinaryDataStorage = true }
        addFetched(builder)
        addHome(builder)
        addIndexes(builder)
        return builder.model
    }

    private static func add(
        _ builder: ModelBuilder, name: String, type: NSAttributeType, change: (NSAttributeDescription) -> Void
    ) {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        change(attribute)
        builder["Person"].properties.append(attribute)
    }

    private static func addHome(_ builder: ModelBuilder) {
        let home = NSCompositeAttributeDescription()
        home.name = "home"
        home.elements = [("city", NSAttributeType.stringAttributeType), ("number", .integer32AttributeType)].map {
            let element = NSAttributeDescription()
            (element.name, element.attributeType) = $0
            return element
        }
        builder["Person"].properties.append(home)
    }

    private static func addIndexes(_ builder: ModelBuilder) {
        func index(_ entity: String, _ keys: String...) -> NSFetchIndexDescription {
            let elements = keys.compactMap { key in
                builder[entity].propertiesByName[key].map {
                    NSFetchIndexElementDescription(property: $0, collationType: .binary)
                }
            }
            return NSFetchIndexDescription(name: keys.joined(), elements: elements)
        }
        builder["Person"].indexes = [
            index("Person", "name"), index("Person", "small", "medium"), index("Person", "born"),
            index("Person", "token"), index("Person", "price"),
        ]
        builder["Department"].indexes = [index("Department", "name")]
    }

    private static func addFetched(_ builder: ModelBuilder) {
        let property = NSFetchedPropertyDescription()
        property.name = "similar"
        builder["Person"].properties.append(property)
    }
}
