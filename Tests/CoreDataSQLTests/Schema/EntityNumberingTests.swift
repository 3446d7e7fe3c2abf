import CoreDataSQL
import Testing

struct EntityNumberingTests {
    @Test func entitiesAreNumberedDepthFirstWithoutRegardToCase() {
        let sketch = ModelSketch()
        for name in ["Zebra", "apple", "SyncFeatureEntity", "SyncableSettingsMetadata", "Animal"] {
            sketch.entity(name)
        }
        sketch.entity("dog", in: "Animal")
        sketch.entity("Cat", in: "Animal").isAbstract = true
        sketch.entity("Lion", in: "Cat")
        let rows = sketch.schema.primaryKeyRows
        #expect(
            rows.map(\.name) == [
                "Animal", "Cat", "Lion", "dog", "apple", "SyncableSettingsMetadata", "SyncFeatureEntity", "Zebra",
            ])
        #expect(rows.map(\.number) == Array(1...8))
        #expect(rows.map(\.superNumber) == [0, 1, 2, 1, 0, 0, 0, 0])
        #expect(rows.allSatisfy { $0.greatestKey == 0 })
    }

    @Test func mappingKnowsRootAndFamily() {
        let sketch = ModelSketch()
        sketch.entity("A")
        sketch.entity("B", in: "A")
        sketch.entity("C", in: "B")
        sketch.entity("D", in: "A")
        let schema = sketch.schema
        #expect(schema.entity(named: "B")?.familyNumbers == [2, 3])
        #expect(schema.entity(named: "A")?.familyNumbers == [1, 2, 3, 4])
        #expect(schema.entity(named: "C")?.rootNumber == 1)
        #expect(schema.entity(named: "C")?.table == "ZA")
        #expect(schema.entity(number: 3)?.name == "C")
        #expect(schema.entity(number: 0) == nil)
        #expect(schema.entity(number: 5) == nil)
        #expect(schema.entity(number: .max) == nil)
    }

    @Test func configurationHoldsItsEntitiesOnly() {
        let sketch = ModelSketch()
        sketch.entity("A", ["a": .stringAttributeType])
        sketch.entity("B")
        sketch.relationships("A.bs*", "B.a")
        _ = sketch.schema
        sketch.model.setEntities([sketch["B"]], forConfigurationName: "Part")
        let schema = StoreSchema(model: sketch.model, configuration: "Part")
        #expect(schema.primaryKeyRows.map(\.name) == ["B"])
        #expect(schema.sql("ZB") == "CREATE TABLE ZB ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )")
        #expect(schema.tables.count == 1)
        #expect(schema.entity(named: "B")?.toOnes == [])
    }

    @Test func recordedNumbersGoFirstIfComplete() {
        let sketch = ModelSketch()
        sketch.entity("A")
        sketch.entity("B")
        sketch.entity("B2", in: "B")
        sketch.relationship("A.b", to: "B")
        _ = sketch.schema
        let recorded = StoreSchema(model: sketch.model, recordedNumbers: ["A": 7, "B": 3, "B2": 9, "X": 1])
        #expect(recorded.entities.map(\.number) == [3, 7, 9])
        #expect(recorded.entity(number: 9)?.name == "B2")
        #expect(recorded.entity(named: "B")?.familyNumbers == [3, 9])
        #expect(recorded.entity(named: "A")?.toOne("b")?.entityColumn == "Z3_B")
        for useless in [["A": 7], ["A": 1, "B": 1, "B2": 2], ["A": 0, "B": 1, "B2": 2]] {
            let schema = StoreSchema(model: sketch.model, recordedNumbers: useless)
            #expect(schema.entities.map(\.number) == [1, 2, 3])
        }
    }

    @Test func emptyModelHasTheBookkeepingOnly() {
        let schema = StoreSchema(model: NSManagedObjectModel())
        #expect(schema.creationStatements == StoreSchema.bookkeepingStatements)
        #expect(schema.primaryKeyRows.isEmpty)
    }

    @Test func deepInheritanceSharesOneTable() throws {
        let sketch = ModelSketch()
        sketch.entity("E0", ["p0": .stringAttributeType])
        for level in 1..<40 { sketch.entity("E\(level)", in: "E\(level - 1)", ["p\(level)": .stringAttributeType]) }
        let schema = sketch.schema
        #expect(schema.tables.count == 1)
        #expect(schema.tables[0].columns.count == 43)
        let leaf = try #require(schema.entity(named: "E39"))
        #expect(leaf.number == 40)
        #expect(leaf.attributes.count == 40)
        #expect(leaf.attribute("p7")?.column == "ZP7")
        #expect(schema.entity(named: "E0")?.attributes.count == 1)
    }
}
