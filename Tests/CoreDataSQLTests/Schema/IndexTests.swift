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

    @Test func expressionsStandForKeyAndEntity() {
        func element(_ text: String, ascending: Bool = true) -> NSFetchIndexElementDescription {
            let computed = NSExpressionDescription()
            computed.name = "expression1"
            computed.expression = try? NSExpression(parsing: text)
            let element = NSFetchIndexElementDescription(property: computed, collationType: .binary)
            element.isAscending = ascending
            return element
        }
        index("compoundIndex1", [("age", true)], of: "Person")
        sketch["Person"].indexes[0].elements = [
            element("entity"), sketch["Person"].indexes[0].elements[0], element("SELF", ascending: false),
            element("first"),
        ]
        sketch["Employee"].indexes = [NSFetchIndexDescription(name: "own", elements: [element("lowercase:(code)")])]
        #expect(
            statements == [
                "CREATE INDEX Z_Person_compoundIndex1 ON ZPERSON (Z_ENT COLLATE BINARY ASC, ZAGE COLLATE BINARY ASC, "
                    + "Z_PK COLLATE BINARY DESC, ZFIRST COLLATE BINARY ASC)"
            ])
    }

    @Test(
        "a partial index has the rows of its predicate where that asks for columns and constants alone (STO-19)",
        arguments: [
            ("age == 3", " WHERE ZAGE = 3"), ("4 < age", " WHERE ZAGE > 4"),
            ("last != nil", " WHERE ZLAST IS NOT NULL"),
            ("age != 3 AND last == \"o'x\"", " WHERE ZAGE IS NOT 3 AND ZLAST = 'o''x'"),
            ("age BETWEEN {1, 2} OR last == nil", " WHERE (ZAGE >= 1 AND ZAGE <= 2) OR ZLAST IS NULL"),
            ("age IN {1, 2}", " WHERE ZAGE IN (1, 2)"), ("last ==[c] 'a'", ""), ("last > 'a'", ""), ("age > first", ""),
            ("age + 1 == 2", ""), ("nobody == 1", ""), ("TRUEPREDICATE", ""), ("NOT age == 1", ""),
        ])
    func partialIndex(format: String, end: String) {
        index("some", [("first", true)], of: "Person")
        sketch["Person"].indexes[0].partialIndexPredicateFormat = format
        #expect(statements == ["CREATE INDEX Z_Person_some ON ZPERSON (ZFIRST COLLATE BINARY ASC)" + end])
    }

    private func tree(_ name: String, _ properties: String..., of entity: String) {
        let elements = properties.compactMap { sketch[entity].propertiesByName[$0] }.map {
            NSFetchIndexElementDescription(property: $0, collationType: .rTree)
        }
        sketch[entity].indexes.append(NSFetchIndexDescription(name: name, elements: elements))
    }

    @Test("an R-tree index is a virtual table and three triggers, in the words of Apple's stores (STO-19)")
    func spatialIndex() throws {
        sketch.entity("Asset", ["latitude": .doubleAttributeType, "longitude": .doubleAttributeType])
        tree("boundedByRect", "latitude", "longitude", of: "Asset")
        let index = try #require(sketch.schema.spatialIndexes.first)
        #expect(
            index.treeStatement
                == "CREATE VIRTUAL TABLE Z_RT_Asset_boundedByRect USING RTREE (Z_PK INTEGER PRIMARY KEY, "
                + "ZLATITUDE_MIN FLOAT, ZLATITUDE_MAX FLOAT, ZLONGITUDE_MIN FLOAT, ZLONGITUDE_MAX FLOAT)")
        #expect(
            index.triggerStatements[0]
                == "CREATE TRIGGER Z_RT_Asset_boundedByRect_INSERT AFTER INSERT ON ZASSET FOR EACH ROW BEGIN INSERT OR "
                + "REPLACE INTO Z_RT_Asset_boundedByRect (Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX, ZLONGITUDE_MIN, "
                + "ZLONGITUDE_MAX) VALUES (NEW.Z_PK, NEW.ZLATITUDE ,NEW.ZLATITUDE, NEW.ZLONGITUDE, NEW.ZLONGITUDE) ; END"
        )
        #expect(
            index.triggerStatements[2]
                == "CREATE TRIGGER Z_RT_Asset_boundedByRect_DELETE AFTER DELETE ON ZASSET FOR EACH ROW BEGIN DELETE FROM "
                + "Z_RT_Asset_boundedByRect WHERE Z_PK = OLD.Z_PK ; END")
        #expect(sketch.schema.indexes.allSatisfy { !$0.name.contains("boundedByRect") })
        // Nothing is known of the database yet.
        #expect(!index.isKept)
        #expect(sketch.schema.unknownTriggers(among: index.triggerStatements) == index.triggerStatements)
    }

    @Test("the triggers of a tree are known by their words where the tree is, however their blanks are set (STO-19)")
    func treesAreFound() throws {
        sketch.entity("Asset", ["latitude": .doubleAttributeType, "longitude": .doubleAttributeType])
        tree("rect", "latitude", "longitude", of: "Asset")
        let schema = sketch.schema
        let index = try #require(schema.spatialIndexes.first)
        let plain = schema.tables.map { DatabaseCatalog.Table(name: $0.name, columns: $0.columns.map(\.name)) }
        let shadows = ["node", "parent", "rowid"].map {
            DatabaseCatalog.Table(name: "Z_RT_Asset_rect_\($0)", columns: ["nodeno"])
        }
        let spaced = index.triggerStatements.map { $0.replacing(" ,NEW", with: ", NEW").replacing(" ;", with: ";") }
        func resolution(_ table: String, _ triggers: [String]) -> StoreSchema.Resolution {
            schema.resolved(
                against: DatabaseCatalog(
                    tables: plain + shadows, virtualTables: [.init(name: "Z_RT_Asset_rect", sql: table)],
                    triggers: triggers))
        }
        for triggers in [index.triggerStatements, spaced] {
            let found = resolution(index.treeStatement, triggers)
            #expect(found.schema.spatialIndexes.map(\.isKept) == [true])
            #expect(found.schema.unknownTriggers(among: triggers) == [])
            #expect(found.differences.isEmpty)
        }
        let partial = resolution(index.treeStatement, Array(spaced.prefix(2)))
        #expect(partial.schema.spatialIndexes.map(\.isKept) == [false])
        #expect(partial.schema.unknownTriggers(among: spaced) == [])
        let changed = index.triggerStatements[2].replacing("WHERE Z_PK = OLD.Z_PK", with: "WHERE Z_PK > OLD.Z_PK")
        #expect(resolution(index.treeStatement, spaced).schema.unknownTriggers(among: [changed]) == [changed])
        let foreign = resolution("CREATE VIRTUAL TABLE Z_RT_Asset_rect USING fts5(x)", spaced)
        #expect(foreign.schema.unknownTriggers(among: spaced) == spaced)
    }

    @Test func treesOfWhatIsNoNumberAreLeftOut() {
        sketch.entity("Spot", ["x": .integer32AttributeType, "at": .dateAttributeType, "name": .stringAttributeType])
        tree("text", "x", "name", of: "Spot")
        tree("twice", "x", "x", of: "Spot")
        tree("good", "x", "at", of: "Spot")
        sketch["Spot"].indexes.append(NSFetchIndexDescription(name: "empty", elements: []))
        #expect(sketch.schema.spatialIndexes.map(\.name) == ["Z_RT_Spot_good"])
        #expect(sketch.schema.spatialIndexes.map(\.columns) == [["ZX", "ZAT"]])
    }

    @Test func keyIndexesComeFirst() {
        #expect(
            sketch.schema.indexes.map(\.sql) == [
                "CREATE INDEX ZPERSON_ZBOSS_INDEX ON ZPERSON (ZBOSS)",
                "CREATE INDEX ZPERSON_Z_ENT_INDEX ON ZPERSON (Z_ENT)",
            ])
    }
}
