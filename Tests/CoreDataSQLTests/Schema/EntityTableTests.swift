import CoreDataSQL
import Testing

struct EntityTableTests {
    @Test func columnsGoByGroupThenName() {
        let sketch = ModelSketch()
        sketch.entity(
            "Car",
            [
                "data": .binaryDataAttributeType, "any": .transformableAttributeType, "id": .UUIDAttributeType,
                "link": .URIAttributeType, "title": .stringAttributeType, "price": .decimalAttributeType,
                "weight": .doubleAttributeType, "built": .dateAttributeType, "ratio": .floatAttributeType,
                "isNew": .booleanAttributeType, "big": .integer64AttributeType, "Small": .integer16AttributeType,
                "allowsToBe": .integer32AttributeType, "allowStories": .integer32AttributeType,
            ])
        #expect(
            sketch.schema.sql("ZCAR")
                == "CREATE TABLE ZCAR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSMALL INTEGER, "
                + "ZALLOWSTORIES INTEGER, ZALLOWSTOBE INTEGER, ZBIG INTEGER, ZISNEW INTEGER, ZBUILT TIMESTAMP, "
                + "ZRATIO FLOAT, ZWEIGHT FLOAT, ZPRICE DECIMAL, ZTITLE VARCHAR, ZLINK VARCHAR, ZID BLOB, ZANY BLOB, "
                + "ZDATA BLOB )")
    }

    @Test func hierarchySharesATableRootFirst() {
        let sketch = ModelSketch()
        sketch.entity("Vehicle", ["wheels": .integer16AttributeType, "name": .stringAttributeType])
        sketch.entity("Car", in: "Vehicle", ["doors": .integer16AttributeType, "brand": .stringAttributeType])
        sketch.entity("Bike", in: "Vehicle", ["gears": .integer16AttributeType])
        let schema = sketch.schema
        #expect(
            schema.sql("ZVEHICLE")
                == "CREATE TABLE ZVEHICLE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZWHEELS INTEGER, "
                + "ZGEARS INTEGER, ZDOORS INTEGER, ZNAME VARCHAR, ZBRAND VARCHAR )")
        #expect(schema.entity(named: "Car")?.attributes.map(\.column) == ["ZBRAND", "ZDOORS", "ZNAME", "ZWHEELS"])
        #expect(schema.entity(named: "Bike")?.attribute("doors") == nil)
        #expect(schema.indexes.map(\.sql) == ["CREATE INDEX ZVEHICLE_Z_ENT_INDEX ON ZVEHICLE (Z_ENT)"])
    }

    @Test func clashingNamesGetDigitsInOrder() throws {
        let sketch = ModelSketch()
        sketch.entity("Base")
        sketch.entity("A", in: "Base", ["text": .stringAttributeType, "TEXT": .stringAttributeType])
        sketch.entity("B", in: "Base", ["text": .stringAttributeType, "text1": .stringAttributeType])
        sketch.relationship("A.Text", to: "Base")
        let schema = sketch.schema
        let (a, b) = (try #require(schema.entity(named: "A")), try #require(schema.entity(named: "B")))
        #expect(a.attribute("TEXT")?.column == "ZTEXT")
        #expect(a.attribute("text")?.column == "ZTEXT1")
        #expect(a.toOne("Text")?.column == "ZTEXT2")
        #expect(a.toOne("Text")?.entityColumn == "Z1_TEXT2")
        #expect(b.attribute("text")?.column == "ZTEXT3")
        #expect(b.attribute("text1")?.column == "ZTEXT11")
        #expect(Set(schema.tables[0].columns.map(\.name)).count == schema.tables[0].columns.count)
    }

    @Test func systemColumnsKeepTheirNames() {
        let sketch = ModelSketch()
        sketch.entity("_PrimaryKey", ["_pk": .stringAttributeType, "_ent": .stringAttributeType])
        let schema = sketch.schema
        #expect(schema.tables.map(\.name) == ["Z_PRIMARYKEY1"])
        #expect(schema.entities[0].attributes.map(\.column) == ["Z_ENT1", "Z_PK1"])
    }

    @Test func namesBeyondASCIIAndWithDigitsAreKept() {
        let sketch = ModelSketch()
        sketch.entity("Straße", ["größe1": .stringAttributeType, "h264": .booleanAttributeType])
        let schema = sketch.schema
        #expect(
            schema.sql("ZSTRASSE")
                == "CREATE TABLE ZSTRASSE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZH264 INTEGER, "
                + "ZGRÖSSE1 VARCHAR )")
    }

    @Test func namesThatAreNoIdentifiersAreQuoted() {
        let sketch = ModelSketch()
        sketch.entity("a\"; DROP TABLE x", ["b c": .stringAttributeType])
        #expect(
            sketch.schema.tables[0].sql
                == "CREATE TABLE \"ZA\"\"; DROP TABLE X\" ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                + "\"ZB C\" VARCHAR )")
    }

    @Test func transientAndFetchedPropertiesHaveNoColumn() {
        let sketch = ModelSketch()
        let entity = sketch.entity(
            "A", ["shown": .stringAttributeType, "nothing": .undefinedAttributeType, "oid": .objectIDAttributeType])
        entity.attributesByName["shown"]?.isTransient = true
        let fetched = NSFetchedPropertyDescription()
        fetched.name = "found"
        entity.properties.append(fetched)
        sketch.relationship("A.passing", to: "A").isTransient = true
        let schema = sketch.schema
        #expect(schema.sql("ZA") == "CREATE TABLE ZA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )")
        #expect(schema.indexes.isEmpty)
    }

    @Test func compositeIsFlattenedIntoItsElements() throws {
        let sketch = ModelSketch()
        let entity = sketch.entity("A", ["latitude": .doubleAttributeType])
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        let inner = NSCompositeAttributeDescription()
        inner.name = "place"
        inner.elements = [attribute("longitude", .doubleAttributeType), attribute("latitude", .doubleAttributeType)]
        let outer = NSCompositeAttributeDescription()
        outer.name = "where"
        outer.elements = [inner, attribute("label", .stringAttributeType)]
        entity.properties.append(outer)
        let schema = sketch.schema
        let parts = try #require(schema.entity(named: "A")).attributes.filter { $0.name == "where" }
        #expect(parts.map(\.elementPath) == [["place", "longitude"], ["place", "latitude"], ["label"]])
        #expect(parts.map(\.column) == ["ZLONGITUDE", "ZLATITUDE1", "ZLABEL"])
        #expect(parts.map(\.columnType) == [.float, .float, .varchar])
        #expect(schema.entity(named: "A")?.attribute("where") == nil)
    }

    @Test("composites are laid out as in stores of Apple's framework, by the outer name, then as declared (STO-16)")
    func compositesAreLaidOutAsApplesStoresHaveThem() throws {
        let sketch = ModelSketch()
        let entity = sketch.entity("Post", ["id": .UUIDAttributeType, "title": .stringAttributeType])
        func composite(_ name: String, _ elements: KeyValuePairs<String, NSAttributeType>) {
            let composite = NSCompositeAttributeDescription()
            composite.name = name
            composite.elements = elements.map { name, type in
                let attribute = NSAttributeDescription()
                attribute.name = name
                attribute.attributeType = type
                return attribute
            }
            entity.properties.append(composite)
        }
        composite("tint", ["linearRed": .doubleAttributeType, "linearBlue": .doubleAttributeType])
        composite("author", ["name": .stringAttributeType, "id": .UUIDAttributeType])
        composite("back", ["linearRed": .doubleAttributeType, "linearBlue": .doubleAttributeType])
        #expect(
            sketch.schema.sql("ZPOST")
                == "CREATE TABLE ZPOST ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLINEARRED FLOAT, "
                + "ZLINEARBLUE FLOAT, ZLINEARRED1 FLOAT, ZLINEARBLUE1 FLOAT, ZNAME VARCHAR, ZTITLE VARCHAR, ZID BLOB, "
                + "ZID1 BLOB )")
        let columns = try #require(sketch.schema.entity(named: "Post")).attributes.map {
            "\(([$0.name] + $0.elementPath).joined(separator: ".")) \($0.column)"
        }
        #expect(
            columns.contains("author.id ZID") && columns.contains("id ZID1")
                && columns.contains("tint.linearRed ZLINEARRED1"))
    }

    @Test func thousandsOfClashesAreLaidOut() {
        let sketch = ModelSketch()
        sketch.entity("Base")
        let children = (0..<2_000).map { number in
            let entity = NSEntityDescription()
            entity.name = "E\(number)"
            let attribute = NSAttributeDescription()
            attribute.name = "name"
            attribute.attributeType = .stringAttributeType
            entity.properties = [attribute]
            return entity
        }
        sketch["Base"].subentities = children
        let schema = sketch.schema
        #expect(schema.tables[0].columns.last?.name == "ZNAME1999")
        #expect(schema.entities.count == 2_001)
    }
}
