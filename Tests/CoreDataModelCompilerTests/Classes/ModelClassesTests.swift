import CoreDataModelCompiler
import CoreDataModeling
import Testing

@Suite struct ModelClassesTests {
    @Test(
        "attributes have the types that Xcode gives them (KVC-05, KVC-07)",
        arguments: [
            ("Integer 16", "YES", "Int16"), ("Integer 32", "YES", "Int32"), ("Integer 64", "YES", "Int64"),
            ("Double", "YES", "Double"), ("Float", "YES", "Float"), ("Boolean", "YES", "Bool"),
            ("Date", "YES", "TimeInterval"), ("Integer 16", "NO", "NSNumber?"), ("Boolean", "NO", "NSNumber?"),
            ("Date", "NO", "Date?"), ("String", "NO", "String?"), ("Binary", "NO", "Data?"), ("UUID", "NO", "UUID?"),
            ("URI", "NO", "URL?"), ("Decimal", "YES", "NSDecimalNumber?"), ("Transformable", "NO", "NSObject?"),
            ("ObjectID", "NO", "NSManagedObjectID?"),
        ])
    func typesAreXcodes(type: String, scalar: String, expected: String) throws {
        let attribute = "<attribute name=\"x\" attributeType=\"\(type)\" usesScalarValueType=\"\(scalar)\"/>"
        let classes = try ModelClasses(of: GoldenSources.model(attribute))
        #expect(classes["A"]?.properties.map(\.type) == [expected])
    }

    @Test func entitiesWithoutClassHaveNone() throws {
        let model = try GoldenSources.model(entity: "<entity name=\"A\" codeGenerationType=\"class\">", "")
        #expect(try ModelClasses(of: model).classes.isEmpty)
    }

    @Test(
        "names that Swift cannot have are refused by entity and property",
        arguments: [
            ("<entity name=\"A\" representedClassName=\"A { } ; class B\">", "", "'A'"),
            (
                "<entity name=\"A\" representedClassName=\"A\">",
                "<attribute name=\"a\" attributeType=\"Transformable\" customClassName=\"X; import Y()\"/>", "'A.a'"
            ),
        ])
    func impossibleNamesAreRefused(entity: String, content: String, place: String) throws {
        let model = try GoldenSources.model(entity: entity, content)
        let error = #expect(throws: ModelingError.self) { try ModelClasses(of: model) }
        #expect(error?.cause.contains(place) == true)
    }

    @Test func impossiblePropertyNamesOfModelsInCodeAreRefused() throws {
        let (model, entity, attribute) = (NSManagedObjectModel(), NSEntityDescription(), NSAttributeDescription())
        entity.name = "A"
        entity.managedObjectClassName = "A"
        attribute.name = "a-b"
        attribute.attributeType = .stringAttributeType
        entity.properties = [attribute]
        model.entities = [entity]
        let error = #expect(throws: ModelingError.self) { try ModelClasses(of: model) }
        #expect(error?.cause.contains("'A.a-b'") == true)
    }

    @Test func oneGeneratedClassForTwoEntitiesIsRefused() throws {
        let text = """
            <model><entity name="A" representedClassName="C" codeGenerationType="class"/>
            <entity name="B" representedClassName="C"/></model>
            """
        let model = try NSManagedObjectModel(source: Data(text.utf8))
        let error = #expect(throws: ModelingError.self) { try ModelClasses(of: model) }
        #expect(error?.cause.contains("'A'") == true && error?.cause.contains("'B'") == true)
        let shared = try NSManagedObjectModel(
            source: Data(text.replacing(" codeGenerationType=\"class\"", with: "").utf8))
        #expect(try ModelClasses(of: shared).classes.map(\.name) == ["C"])
    }
}
