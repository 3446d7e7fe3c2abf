import CoreDataGraph

/// A model with every type of attribute and every kind of relationship.
@MainActor
package enum QueryModel {
    package static func make() -> NSManagedObjectModel {
        let draft = ModelDraft()
        draft.entity(
            "Person",
            [
                "name": .stringAttributeType, "nick": .stringAttributeType, "small": .integer16AttributeType,
                "medium": .integer32AttributeType, "large": .integer64AttributeType, "flag": .booleanAttributeType,
                "ratio": .doubleAttributeType, "single": .floatAttributeType, "price": .decimalAttributeType,
                "born": .dateAttributeType, "seen": .dateAttributeType, "photo": .binaryDataAttributeType,
                "token": .UUIDAttributeType, "link": .URIAttributeType, "extra": .transformableAttributeType,
            ])
        draft.entity("Employee", in: "Person", ["salary": .doubleAttributeType])
        draft.entity("Manager", in: "Employee", ["level": .integer16AttributeType])
        draft.entity("Department", ["name": .stringAttributeType, "budget": .integer32AttributeType])
        draft.entity("Company", ["name": .stringAttributeType, "city": .stringAttributeType])
        draft.entity("Skill", ["name": .stringAttributeType, "rank": .integer16AttributeType])
        draft.entity("Note", ["text": .stringAttributeType])
        draft.relationships("Person.department", "Department.people*")
        draft.relationships("Person.boss", "Person.reports*")
        draft.relationships("Department.company", "Company.departments*")
        draft.relationships("Person.skills*", "Skill.people*!")
        draft.relationship("Person.notes*", to: "Note")
        draft.reflexive("Person.friends*")
        add(draft, name: "age", type: .integer16AttributeType) { $0.isTransient = true }
        add(draft, name: "film", type: .binaryDataAttributeType) { $0.allowsExternalBinaryDataStorage = true }
        addFetched(draft)
        addHome(draft)
        addIndexes(draft)
        return draft.model
    }

    private static func add(
        _ draft: ModelDraft, name: String, type: NSAttributeType, change: (NSAttributeDescription) -> Void
    ) {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        change(attribute)
        draft["Person"].properties.append(attribute)
    }

    private static func addHome(_ draft: ModelDraft) {
        let home = NSCompositeAttributeDescription()
        home.name = "home"
        home.elements = [("city", NSAttributeType.stringAttributeType), ("number", .integer32AttributeType)].map {
            let element = NSAttributeDescription()
            (element.name, element.attributeType) = $0
            return element
        }
        draft["Person"].properties.append(home)
    }

    private static func addIndexes(_ draft: ModelDraft) {
        func index(_ entity: String, _ keys: String...) -> NSFetchIndexDescription {
            let elements = keys.compactMap { key in
                draft[entity].propertiesByName[key].map {
                    NSFetchIndexElementDescription(property: $0, collationType: .binary)
                }
            }
            return NSFetchIndexDescription(name: keys.joined(), elements: elements)
        }
        draft["Person"].indexes = [
            index("Person", "name"), index("Person", "small", "medium"), index("Person", "born"),
            index("Person", "token"), index("Person", "price"),
        ]
        draft["Department"].indexes = [index("Department", "name")]
    }

    private static func addFetched(_ draft: ModelDraft) {
        let property = NSFetchedPropertyDescription()
        property.name = "similar"
        draft["Person"].properties.append(property)
    }
}
