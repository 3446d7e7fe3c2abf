import CoreDataModeling
import Testing

/// The two spellings of an attribute's type.
struct AttributeKindTests {
    @Test("Each type of the newer spelling is one of the older, both ways")
    func eachTypeOfNewerSpellingIsOneOfOlder() {
        let pairs: [(NSAttributeDescription.AttributeType, NSAttributeType)] = [
            (.undefined, .undefinedAttributeType), (.integer16, .integer16AttributeType),
            (.integer32, .integer32AttributeType), (.integer64, .integer64AttributeType),
            (.decimal, .decimalAttributeType), (.double, .doubleAttributeType), (.float, .floatAttributeType),
            (.string, .stringAttributeType), (.boolean, .booleanAttributeType), (.date, .dateAttributeType),
            (.binaryData, .binaryDataAttributeType), (.uuid, .UUIDAttributeType), (.uri, .URIAttributeType),
            (.transformable, .transformableAttributeType), (.objectID, .objectIDAttributeType),
            (.composite, .compositeAttributeType),
        ]
        for (new, old) in pairs {
            let (one, other) = (NSAttributeDescription(), NSAttributeDescription())
            one.type = new
            other.attributeType = old
            #expect(one.attributeType == old && other.type == new)
        }
        #expect(Set(pairs.map { $0.1.rawValue }).count == pairs.count)
    }

    @Test("A copied model is a model of its own, with equal entities")
    func copiedModelIsModelOfItsOwn() throws {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Hero"
        model.entities = [entity]
        let copy = try #require(model.copy(with: nil) as? NSManagedObjectModel)
        #expect(copy !== model && copy.entitiesByName["Hero"] != nil && copy.entitiesByName["Hero"] !== entity)
        #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
        copy.entitiesByName["Hero"]?.name = "Villain"
        #expect(model.entities.map(\.name) == ["Hero"])
    }
}
