import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// What inference does to a store, case by case.
@Suite struct LightweightMigrationTests {
    private static func first(_ change: (ModelBuilder) -> Void = { _ in }) -> NSManagedObjectModel {
        MigrationScene.model { builder in
            builder.entity("Hero", ["name": .stringAttributeType, "age": .integer32AttributeType])
            builder.entity("Power", ["title": .stringAttributeType])
            builder.relationships("Hero.powers*", "Power.hero")
            change(builder)
        }
    }

    private static func fill(_ context: NSManagedObjectContext) {
        let hero = context.insert("Hero", ["name": "Ada", "age": 36])
        context.insert("Hero", ["name": "Bob"])
        context.insert("Power", ["title": "Fly"]).setValue(hero, forKey: "hero")
        context.insert("Power", ["title": "Sing"]).setValue(hero, forKey: "hero")
    }

    @Test("without the options a store of another version is refused; with them its values are intact (MIG-01)")
    func optionsAreNeeded() throws {
        let scene = try MigrationScene(Self.first(), Self.fill)
        let before = scene.bytes
        let model = Self.first { $0.entity("City", ["name": .stringAttributeType]) }
        expectError(134100) { try scene.with(model, options: [:]) { _ in } }
        let noInference: [AnyHashable: Any] = [NSMigratePersistentStoresAutomaticallyOption: true]
        expectError(134140) { try scene.with(model, options: noInference) { _ in } }
        #expect(scene.bytes == before)
        try scene.with(model) { context in
            let heroes = try context.all("Hero", sortedBy: "name")
            #expect(heroes.map { $0.value(forKey: "name") as? String } == ["Ada", "Bob"])
            #expect(heroes.map { $0.value(forKey: "age") as? Int } == [36, nil])
            let powers = heroes[0].value(forKey: "powers") as? Set<NSManagedObject> ?? []
            #expect(Set(powers.compactMap { $0.value(forKey: "title") as? String }) == ["Fly", "Sing"])
            #expect(try context.all("City").isEmpty)
        }
        // Opened again it is of the version and nothing is migrated.
        #expect(try scene.with(model, options: [:]) { try $0.all("Hero").count } == 2)
    }

    @Test("a store migrates though nothing but an entity whose hash follows an unconfirmed recipe has changed (MIG-02)")
    func unconfirmedHash() throws {
        func model(_ name: String) -> NSManagedObjectModel {
            Self.first { builder in
                builder["Hero"].uniquenessConstraints = [["name"], ["age"]]
                builder["Hero"].properties += Self.attributes([name: .stringAttributeType])
                builder.attribute("Hero.\(name)").renamingIdentifier = "town"
            }
        }
        let scene = try MigrationScene(model("town")) { context in
            context.insert("Hero", ["name": "Ada", "age": 36, "town": "London"])
        }
        #expect(model("city").entitiesByName["Hero"]?.hasAssumedHash == true)
        let cities = try scene.with(model("city")) { context in
            try context.all("Hero").map { $0.value(forKey: "city") as? String }
        }
        #expect(cities == ["London"])
    }

    @Test(
        "a store migrates though nothing but the name of a derived attribute has changed, which no hash contains (MIG-02)"
    )
    func renamedDerivedAttribute() throws {
        func model(_ name: String) -> NSManagedObjectModel {
            Self.first { $0.derived("Hero.\(name)", .stringAttributeType, "canonical:(name)") }
        }
        let scene = try MigrationScene(model("plain")) { context in
            context.insert("Hero", ["name": "Über"])
        }
        // Of the same derivation, and at the same place among the properties by name.
        #expect(model("plain").entityVersionHashesByName == model("plainName").entityVersionHashesByName)
        let refusal = expectError(NSPersistentStoreIncompatibleVersionHashError) {
            try scene.with(model("plainName"), options: [:]) { _ = $0 }
        }
        #expect(refusal?.userInfo["entities"] as? [String] == ["Hero"])
        func values(_ context: NSManagedObjectContext) throws -> [String?] {
            try context.all("Hero").map { $0.value(forKey: "plainName") as? String }
        }
        #expect(try scene.with(model("plainName"), values) == ["uber"])
        #expect(try scene.with(model("plainName"), options: [:], values) == ["uber"])
    }

    @Test("old rows read the default of a new attribute, or nil without one (MIG-03)")
    func addedAttribute() throws {
        let scene = try MigrationScene(Self.first(), Self.fill)
        let identifier = try scene.value("SELECT Z_UUID FROM Z_METADATA")
        let version = try scene.value("SELECT Z_OPT FROM ZHERO WHERE ZNAME = 'Ada'")
        let model = Self.first { builder in
            builder["Hero"].properties += Self.attributes([
                "color": .stringAttributeType, "level": .integer16AttributeType,
            ])
            builder.attribute("Hero.level").defaultValue = 3
        }
        try scene.with(model) { context in
            let heroes = try context.all("Hero", sortedBy: "name")
            #expect(heroes.allSatisfy { $0.value(forKey: "color") == nil })
            #expect(heroes.map { $0.value(forKey: "level") as? Int } == [3, 3])
        }
        #expect(try scene.value("SELECT Z_UUID FROM Z_METADATA") == identifier)
        #expect(try scene.value("SELECT Z_OPT FROM ZHERO WHERE ZNAME = 'Ada'") == version)
        // As Apple's own migration leaves them: at the end of the table (formats §1.5).
        let sql = try scene.value("SELECT sql FROM sqlite_master WHERE name = 'ZHERO'")?.text ?? ""
        #expect(sql.hasSuffix("ZNAME VARCHAR , ZLEVEL INTEGER, ZCOLOR VARCHAR)"), "\(sql)")
    }

    @Test("a removed attribute's column goes, all else stays (MIG-04)")
    func removedAttribute() throws {
        let scene = try MigrationScene(Self.first(), Self.fill)
        let model = Self.first { builder in builder["Hero"].properties.removeAll { $0.name == "age" } }
        try scene.with(model) { context in
            let heroes = try context.all("Hero", sortedBy: "name")
            #expect(heroes.map { $0.value(forKey: "name") as? String } == ["Ada", "Bob"])
            #expect((heroes[0].value(forKey: "powers") as? NSSet)?.count == 2)
        }
        let columns = try scene.rows("SELECT name FROM pragma_table_info('ZHERO')").compactMap { $0[0].text }
        #expect(columns == ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"])
    }

    @Test("an added entity is empty, the rows of a removed one are gone, and numbers move along (MIG-05)")
    func entitiesComeAndGo() throws {
        let scene = try MigrationScene(Self.first(), Self.fill)
        let model = MigrationScene.model { builder in
            builder.entity("Hero", ["name": .stringAttributeType, "age": .integer32AttributeType])
            builder.entity("Actor", ["name": .stringAttributeType])
            builder.entity("Cave", ["depth": .doubleAttributeType])
        }
        try scene.with(model) { context in
            #expect(try context.all("Hero").count == 2)
            #expect(try context.all("Actor").isEmpty)
            #expect(try context.all("Cave").isEmpty)
            context.insert("Hero", ["name": "Eve"])
            context.insert("Actor", ["name": "Zoe"])
            try context.save()
        }
        #expect(
            try scene.rows("SELECT Z_PK, Z_ENT FROM ZHERO ORDER BY 1") == [
                [.integer(1), .integer(3)], [.integer(2), .integer(3)], [.integer(3), .integer(3)],
            ])
        #expect(try scene.rows("SELECT name FROM sqlite_master WHERE name LIKE 'ZPOWER%'").isEmpty)
        let keys = try scene.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
        #expect(keys == [[.text("Actor"), .integer(1)], [.text("Cave"), .integer(0)], [.text("Hero"), .integer(3)]])
    }

    @Test("nil rows receive the default of an attribute that is required now; without one nothing is touched (MIG-07)")
    func requiredAttribute() throws {
        let scene = try MigrationScene(Self.first(), Self.fill)
        let before = scene.bytes
        let refused = Self.first { $0.attribute("Hero.age").isOptional = false }
        let error = expectError(134110) { try scene.with(refused) { _ in } }
        #expect(error?.localizedDescription.contains("Hero.age") == true)
        #expect(scene.bytes == before)
        let model = Self.first { builder in
            builder.attribute("Hero.age").isOptional = false
            builder.attribute("Hero.age").defaultValue = 20
        }
        try scene.with(model) { context in
            let ages = try context.all("Hero", sortedBy: "name").map { $0.value(forKey: "age") as? Int }
            #expect(ages == [36, 20])
        }
        #expect(try scene.with(Self.first()) { try $0.all("Hero").count } == 2)
    }

    @Test("entities and attributes renamed by identifier keep rows and values (MIG-08)", arguments: [true, false])
    func entitiesAndAttributesRenamedByIdentifierKeepRowsAndValues(onlyRenamed: Bool) throws {
        let old = MigrationScene.model { $0.entity("Event", ["timeStamp": .dateAttributeType]) }
        let scene = try MigrationScene(old) {
            $0.insert("Event", ["timeStamp": Date(timeIntervalSinceReferenceDate: 7)])
        }
        let new = MigrationScene.model { builder in
            builder.entity("Occurrence", ["startTime": .dateAttributeType])
            builder["Occurrence"].renamingIdentifier = "Event"
            builder.attribute("Occurrence.startTime").renamingIdentifier = "timeStamp"
            if !onlyRenamed { builder["Occurrence"].properties += Self.attributes(["extra": .stringAttributeType]) }
        }
        try scene.with(new) { context in
            let dates = try context.all("Occurrence").map { $0.value(forKey: "startTime") as? Date }
            #expect(dates == [Date(timeIntervalSinceReferenceDate: 7)])
        }
        #expect(try scene.rows("SELECT Z_NAME FROM Z_PRIMARYKEY") == [[.text("Occurrence")]])
    }

    @Test("a loss is refused to those who ask for it, and else said (MIG-09)")
    func lossIsRefusedOnRequest() throws {
        let old = MigrationScene.model { $0.entity("Event", ["timeStamp": .dateAttributeType]) }
        let scene = try MigrationScene(old) { $0.insert("Event") }
        let new = MigrationScene.model { $0.entity("Occurrence", ["timeStamp": .dateAttributeType]) }
        let before = scene.bytes
        let refusing = MigrationScene.automatic.merging([CoreDataMigrationRefusesLossOption: true]) { $1 }
        let error = expectError(134190) { try scene.with(new, options: refusing) { _ in } }
        #expect(error?.localizedDescription.contains("entity Event") == true)
        #expect(error?.localizedRecoverySuggestion?.contains("renaming identifier 'Event'") == true)
        #expect(scene.bytes == before)
        #expect(try scene.with(new) { try $0.all("Occurrence").count } == 0)
    }

    @Test("a to-one relationship becomes to-many and ordered, and gets an inverse (MIG-06)")
    func relationshipsChange() throws {
        let old = MigrationScene.model { builder in
            builder.entity("Book", ["title": .stringAttributeType])
            builder.entity("Author", ["name": .stringAttributeType])
            builder.relationship("Book.author", to: "Author")
        }
        let scene = try MigrationScene(old) { context in
            let author = context.insert("Author", ["name": "Ann"])
            for title in ["A", "B"] { context.insert("Book", ["title": title]).setValue(author, forKey: "author") }
            context.insert("Book", ["title": "C"])
        }
        let new = MigrationScene.model { builder in
            builder.entity("Book", ["title": .stringAttributeType])
            builder.entity("Author", ["name": .stringAttributeType])
            builder.relationships("Book.author*!", "Author.books*")
        }
        try scene.with(new) { context in
            let books = try context.all("Book", sortedBy: "title")
            let authors = books.map { ($0.value(forKey: "author") as? NSOrderedSet)?.count }
            #expect(authors == [1, 1, 0])
            let ann = try #require(try context.all("Author").first)
            #expect((ann.value(forKey: "books") as? NSSet)?.count == 2)
        }
    }

    @Test("an ordered relationship keeps its order when its inverse becomes to-many (MIG-06)")
    func orderIsKept() throws {
        func model(_ isShared: Bool) -> NSManagedObjectModel {
            MigrationScene.model { builder in
                builder.entity("List", ["name": .stringAttributeType])
                builder.entity("Ballad", ["title": .stringAttributeType])
                builder.relationships("List.songs*!", isShared ? "Ballad.lists*" : "Ballad.lists")
            }
        }
        // The table of pairs is named after the ballads' side, which has the lower number.
        let scene = try MigrationScene(model(false)) { context in
            let list = context.insert("List", ["name": "Mix"])
            let songs = ["d", "a", "c", "b"].map { context.insert("Ballad", ["title": $0]) }
            for song in ["c", "a", "d", "b"] {
                let found = songs.first { $0.value(forKey: "title") as? String == song }
                list.mutableOrderedSetValue(forKey: "songs").add(found as Any)
            }
        }
        let titles = try scene.with(model(true)) { context in
            let list = try #require(try context.all("List").first)
            let songs = (list.value(forKey: "songs") as? NSOrderedSet)?.array as? [NSManagedObject]
            return songs?.map { $0.value(forKey: "title") as? String }
        }
        #expect(titles == ["c", "a", "d", "b"])
    }

    @Test("a store that another writer has open is not migrated (HAZ-44)")
    func openElsewhere() throws {
        let scene = try MigrationScene(Self.first(), Self.fill)
        scene.options[NSPersistentStoreTimeoutOption] = 0
        let other = try Stack(Self.first(), url: scene.url)
        let model = Self.first { $0.entity("City", ["name": .stringAttributeType]) }
        let error = expectError(134110) { try scene.with(model) { _ in } }
        #expect(error?.localizedDescription.contains("open") == true)
        #expect(try other.context.all("Hero").count == 2)
        try other.coordinator.remove(other.store)
        #expect(try scene.with(model) { try $0.all("Hero").count } == 2)
    }

    @Test("the error of an incompatible store says what differs (MIG-24)")
    func differencesAreNamed() throws {
        let scene = try MigrationScene(Self.first(), Self.fill)
        let model = Self.first { $0.attribute("Hero.age").isOptional = false }
        let error = expectError(134100) { try scene.with(model, options: [:]) { _ in } }
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("Hero") && text.contains("attribute Hero.age: optional was yes and is no"))
    }

    static func attributes(_ list: KeyValuePairs<String, NSAttributeType>) -> [NSAttributeDescription] {
        list.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            return attribute
        }
    }
}
