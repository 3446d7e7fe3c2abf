import CoreDataSQL
import Testing

struct IndexTests {
    let sketch = ModelSketch()

    init() {
        sketch.entity(
            "Person", ["first": .stringAttributeType, "last": .stringAttributeType, "age": .integer16AttributeType])
        sketch.entity("Employee", in: "Person", ["code": .stringAttributeType])
        sketch.relationship("Employee.boss", to: "Employee")
    }

    private func index(_ name: String, _ elements: [(String, Bool)], of entity: String) {
        let properties = sketch[entity].propertiesByName
        let description = NSFetchIndexDescription(
            name: name,
            elements: elements.compactMap { property, isAscending in
                guard let property = properties[property] else { return nil }
                let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
                element.isAscending = isAscending
                return element
            })
        sketch[entity].indexes.append(description)
    }

    private var statements: [String] {
        sketch.schema.indexes.map(\.sql).filter { !$0.contains("_INDEX ON") }
    }

    @Test func fetchIndexKeepsItsLettersAndDirections() {
        index("byName", [("last", true), ("age", false)], of: "Person")
        #expect(
            statements == [
                "CREATE INDEX Z_Person_byName ON ZPERSON (ZLAST COLLATE BINARY ASC, ZAGE COLLATE BINARY DESC)"
            ])
    }

    @Test func fetchIndexOfOneAttributeBringsOneOfTheAttributesName() {
        index("byCode", [("code", true)], of: "Employee")
        index("byBoss", [("boss", true)], of: "Employee")
        #expect(
            statements == [
                "CREATE INDEX Z_Employee_code ON ZPERSON (ZCODE COLLATE BINARY ASC)",
                "CREATE INDEX Z_Employee_byCode ON ZPERSON (ZCODE COLLATE BINARY ASC)",
                "CREATE INDEX Z_Employee_byBoss ON ZPERSON (ZBOSS COLLATE BINARY ASC)",
            ])
    }

    @Test func fetchIndexNamedLikeItsAttributeIsMadeOnce() {
        index("code", [("code", true)], of: "Employee")
        sketch["Employee"].attributesByName["code"]?.isIndexed = true
        #expect(statements == ["CREATE INDEX Z_Employee_code ON ZPERSON (ZCODE COLLATE BINARY ASC)"])
    }

    @Test func olderFormsOfIndexes() {
        sketch["Person"].attributesByName["age"]?.isIndexed = true
        sketch["Person"].compoundIndexes = [["last", "first"], ["nobody"]]
        #expect(
            statements == [
                "CREATE INDEX Z_Person_age ON ZPERSON (ZAGE COLLATE BINARY ASC)",
                "CREATE INDEX Z_Person_last_first ON ZPERSON (ZLAST COLLATE BINARY ASC, ZFIRST COLLATE BINARY ASC)",
            ])
    }

    @Test func uniquenessConstraintsNameTheDeclaringEntity() {
        sketch["Employee"].uniquenessConstraints = [["code"], ["first", "last"]]
        #expect(
            statements == [
                "CREATE UNIQUE INDEX Z_Employee_UNIQUE_code ON ZPERSON (ZCODE COLLATE BINARY ASC)",
                "CREATE UNIQUE INDEX Z_Employee_UNIQUE_first_last ON ZPERSON (ZFIRST COLLATE BINARY ASC, "
                    + "ZLAST COLLATE BINARY ASC)",
            ])
    }

    @Test func spatialIndexIsLeftOut() {
        let property = NSFetchIndexElementDescription(
            property: sketch["Person"].propertiesByName["age"] ?? NSPropertyDescription(), collationType: .rTree)
        sketch["Person"].indexes = [NSFetchIndexDescription(name: "place", elements: [property])]
        #expect(statements.isEmpty)
    }

    @Test func keyIndexesComeFirst() {
        #expect(
            sketch.schema.indexes.map(\.sql) == [
                "CREATE INDEX ZPERSON_ZBOSS_INDEX ON ZPERSON (ZBOSS)",
                "CREATE INDEX ZPERSON_Z_ENT_INDEX ON ZPERSON (Z_ENT)",
            ])
    }
}
