import CoreDataSQL
import Testing

struct ResolvingTests {
    private func library() -> ModelSketch {
        let sketch = ModelSketch()
        sketch.entity("Author", ["name": .stringAttributeType])
        sketch.entity("Book", ["title": .stringAttributeType])
        sketch.relationships("Author.books*!", "Book.authors*")
        sketch.relationships("Author.following*", "Author.followedBy*")
        sketch.relationships("Book.next", "Book.previous")
        return sketch
    }

    private func catalog(_ schema: StoreSchema, _ change: (inout [String: [String]]) -> Void) -> DatabaseCatalog {
        var tables = Dictionary(uniqueKeysWithValues: schema.catalog.tables.map { ($0.name, $0.columns) })
        change(&tables)
        return DatabaseCatalog(
            tables: tables.sorted { $0.key < $1.key }.map { .init(name: $0.key, columns: $0.value) },
            entityNumbers: schema.catalog.entityNumbers)
    }

    @Test func ownCatalogResolvesToItself() {
        let schema = library().schema
        let resolution = schema.resolved(against: schema.catalog)
        #expect(resolution.schema == schema)
        #expect(resolution.differences.isEmpty)
    }

    @Test func letterCaseAndOrderDoNotMatter() {
        let schema = library().schema
        let resolution = schema.resolved(
            against: catalog(schema) { tables in
                tables["ZBOOK"] = nil
                tables["zBook"] = ["zTitle", "z_opt", "Z_ENT", "ZNEXT", "zprevious", "Z_PK"]
                tables["z_1books"] = tables.removeValue(forKey: "Z_1BOOKS")?.map { $0.lowercased() }
            })
        #expect(resolution.isUsable)
        #expect(resolution.differences.isEmpty)
        let book = resolution.schema.entity(named: "Book")
        #expect(book?.table == "zBook")
        #expect(book?.attribute("title")?.column == "zTitle")
        #expect(book?.toOne("previous")?.column == "zprevious")
        #expect(resolution.schema.join("Author", "books")?.table == "z_1books")
        #expect(resolution.schema.join("Author", "books")?.orderColumn == "z_fok_2books")
        #expect(resolution.schema.join("Book", "authors")?.ownColumn == "z_2books")
    }

    @Test func manyToManyIsFoundUnderTheNameOfTheOtherEnd() throws {
        let schema = library().schema
        let join = try #require(schema.join("Author", "following"))
        #expect(join.table == "Z_1FOLLOWEDBY")
        let resolution = schema.resolved(
            against: catalog(schema) { $0["Z_1FOLLOWING"] = $0.removeValue(forKey: "Z_1FOLLOWEDBY") })
        #expect(resolution.differences.isEmpty)
        #expect(resolution.schema.join("Author", "following")?.table == "Z_1FOLLOWING")
        #expect(resolution.schema.join("Author", "following")?.ownColumn == join.ownColumn)
    }

    @Test func joinColumnsAreFoundWithOtherDigits() {
        let sketch = ModelSketch()
        sketch.entity("Channel")
        sketch.entity("Group")
        sketch.entity("User")
        sketch.relationships("Channel.users*", "User.channels*")
        sketch.relationships("Group.users*!", "User.groups*")
        let schema = sketch.schema
        let resolution = schema.resolved(
            against: catalog(schema) { tables in
                tables["Z_1USERS"] = ["Z_1CHANNELS", "Z_3USERS1"]
                tables["Z_2USERS"] = ["Z_2GROUPS", "Z_3USERS", "Z_FOK_3USERS"]
            })
        #expect(resolution.differences.isEmpty)
        #expect(resolution.schema.join("Channel", "users")?.otherColumn == "Z_3USERS1")
        #expect(resolution.schema.join("Group", "users")?.otherColumn == "Z_3USERS")
        #expect(resolution.schema.join("Group", "users")?.orderColumn == "Z_FOK_3USERS")
    }

    @Test("what is missing is named exactly (HAZ-16)") func missingPartsAreNamed() {
        let schema = library().schema
        let resolution = schema.resolved(
            against: catalog(schema) { tables in
                tables["ZAUTHOR"] = nil
                tables["Z_1BOOKS"] = ["Z_1AUTHORS", "Z_2BOOKS"]
                tables["Z_1FOLLOWEDBY"] = ["Z_1FOLLOWING", "Z_9SOMETHING"]
                tables["ZBOOK"]?.removeAll { $0 == "ZTITLE" }
            })
        #expect(!resolution.isUsable)
        #expect(
            resolution.differences.filter { !$0.isHarmless } == [
                .missingTable("ZAUTHOR", of: "Author"),
                .missingColumn("Z_FOK_2BOOKS", table: "Z_1BOOKS", of: "Author.books"),
                .missingTable("Z_1FOLLOWEDBY", of: "Author.followedBy"),
                .missingColumn("ZTITLE", table: "ZBOOK", of: "Book"),
            ])
        #expect(resolution.differences.last == .extraTable("Z_1FOLLOWEDBY"))
        #expect(resolution.differences[0].sentence == "The table ZAUTHOR of Author is missing.")
        #expect(
            resolution.differences[1].sentence
                == "The column Z_FOK_2BOOKS of the table Z_1BOOKS (Author.books) is missing.")
        #expect(resolution.schema == schema)
    }

    @Test("extra tables and columns are reported and left alone (HAZ-16)") func extraPartsAreHarmless() {
        let schema = library().schema
        let resolution = schema.resolved(
            against: catalog(schema) { tables in
                tables["ZBOOK"]?.append("ZEXTRA")
                tables["Z_METADATA"] = ["Z_VERSION"]
                tables["ACHANGE"] = ["Z_PK"]
                tables["ZOTHER"] = ["Z_PK"]
            })
        #expect(resolution.isUsable)
        #expect(resolution.differences == [.extraColumn("ZEXTRA", table: "ZBOOK"), .extraTable("ZOTHER")])
        #expect(resolution.schema == schema)
    }

    @Test("numbers recorded otherwise are differences unless the schema takes them over (HAZ-16)")
    func otherNumbersAreDifferences() {
        let sketch = library()
        let schema = sketch.schema
        let numbers = ["Author": 2, "Tape": 1]
        let catalog = DatabaseCatalog(tables: schema.catalog.tables, entityNumbers: numbers)
        #expect(
            schema.resolved(against: catalog).differences == [
                .otherNumber(entity: "Author", expected: 1, found: 2), .unrecordedEntity("Book"),
            ])
        #expect(schema.resolved(against: DatabaseCatalog(tables: schema.catalog.tables)).differences.isEmpty)
    }

    @Test func nameThatAMigrationLeftBehindIsHarmless() {
        let schema = library().schema
        let catalog = DatabaseCatalog(tables: schema.catalog.tables, entityNumbers: ["Author": 1, "Tome": 2])
        let resolution = schema.resolved(against: catalog)
        #expect(resolution.differences == [.formerName(entity: "Book", recorded: "Tome")])
        #expect(resolution.isUsable)
        #expect(
            resolution.differences.first?.sentence == "The entity Book is recorded under its former name Tome.")
    }

    @Test func emptyDatabaseLacksEverything() {
        let schema = library().schema
        let resolution = schema.resolved(against: DatabaseCatalog(tables: []))
        #expect(resolution.differences.count == 4)
        #expect(resolution.schema == schema)
    }
}
