import CoreData
import Foundation
import PostgresKit
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// What a store on a server has besides its rows, after a migration: history, grants, computed values; and the other ways to a version.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(10)))
struct ServerMigrationTests {
    /// The versions of SuperDB's heroes, and two more: with weapons of powers' kind, and without secret identities.
    private static func heroes(_ version: Int) -> NSManagedObjectModel {
        ServerScene.model { temporary in
            var attributes: KeyValuePairs<String, NSAttributeType> = [
                "name": .stringAttributeType, "secretIdentity": .stringAttributeType, "birthDate": .dateAttributeType,
                "salary": .decimalAttributeType,
            ]
            if version >= 2 {
                attributes = [
                    "name": .stringAttributeType, "secretIdentity": .stringAttributeType,
                    "birthDate": .dateAttributeType, "salary": .decimalAttributeType, "age": .integer16AttributeType,
                    "motto": .stringAttributeType, "picture": .binaryDataAttributeType,
                ]
            }
            temporary.entity("Hero", attributes)
            temporary.attribute("Hero.name").isOptional = false
            temporary.attribute("Hero.name").defaultValue = "Untitled Hero"
            if version >= 2 {
                temporary.attribute("Hero.age").defaultValue = 40
                temporary.attribute("Hero.motto").defaultValue = "it's \\ a \u{0} motto?"
                temporary.attribute("Hero.picture").defaultValue = Data([0, 39, 92, 255])
            }
            if version >= 3 {
                // Before "Hero" in the order of the numbers.
                temporary.entity("Ability", ["name": .stringAttributeType])
                temporary.relationships("Hero.powers*", "Ability.hero")
            }
            if version >= 4 {
                temporary.entity("Weapon", in: "Ability", ["weight": .doubleAttributeType])
                temporary.derived("Hero.strength", .integer64AttributeType, "powers.@count")
                temporary["Hero"].uniquenessConstraints = [["name"]]
            }
            if version >= 5 {
                temporary["Hero"].properties.removeAll { ["secretIdentity", "motto"].contains($0.name) }
                temporary.attribute("Hero.salary").renamingIdentifier = "salary"
                temporary.attribute("Hero.salary").name = "pay"
            }
        }
    }

    private static let salary = Decimal(string: "12345678901234567890.12345678") ?? 0

    private static func fill(_ context: NSManagedObjectContext) {
        for number in 0..<5 {
            context.insert("Hero", ["name": "hero \(number)", "secretIdentity": "nobody", "salary": salary])
        }
    }

    @Test(
        "SuperDB's versions one after the other, each with all that came before it (MIG-15)", arguments: [1, 2, 3, 4])
    func superDBsVersions(first: Int) throws {
        let scene = try ServerScene(Self.heroes(first)) { Self.fill($0) }
        for version in first + 1...5 {
            try scene.with(Self.heroes(version)) { context in
                let heroes = try context.all("Hero", sortedBy: "name")
                #expect(heroes.map { $0.value(forKey: "name") as? String } == (0..<5).map { "hero \($0)" })
                let key = version >= 5 ? "pay" : "salary"
                #expect(heroes.allSatisfy { ($0.value(forKey: key) as? NSDecimalNumber)?.decimalValue == Self.salary })
                #expect(heroes.allSatisfy { $0.value(forKey: "age") as? Int == 40 })
                #expect(heroes.allSatisfy { $0.value(forKey: "picture") as? Data == Data([0, 39, 92, 255]) })
                if version < 5 {
                    #expect(heroes.allSatisfy { $0.value(forKey: "motto") as? String == "it's \\ a \u{0} motto?" })
                }
                if version == 3, first < 3 {
                    context.insert("Ability", ["name": "flying", "hero": heroes[0]])
                    try context.save()
                }
                if version >= 4, first < 3 {
                    #expect(heroes.map { $0.value(forKey: "strength") as? Int } == [1, 0, 0, 0, 0])
                }
            }
        }
    }

    @Test("a new attribute with a default value writes no row, and takes the server no new file (MIG-18)")
    func defaultWithoutRewriting() throws {
        let scene = try ServerScene(Self.heroes(1)) { Self.fill($0) }
        let file = "SELECT pg_relation_filenode('zhero')::text || '/' || min(xmin::text) FROM zhero"
        let before = try scene.ask(file)
        try scene.with(Self.heroes(2)) { _ in }
        #expect(try scene.ask(file) == before)
    }

    @Test("history goes on over a migration that moves the numbers of entities and properties (CTX-34)")
    func historyGoesOnOverMigrationThatMovesNumbersOfEntities() throws {
        var options: [AnyHashable: Any] = ServerScene.automatic
        options[NSPersistentHistoryTrackingKey] = true
        let first = Self.heroes(1)
        first.entitiesByName["Hero"]?.attributesByName["secretIdentity"]?.preservesValueInHistoryOnDeletion = true
        let scene = try ServerScene(first, options: options) { Self.fill($0) }
        try scene.with(first, options: options) { context in
            let heroes = try context.all("Hero", sortedBy: "name")
            heroes[1].setValue("changed", forKey: "secretIdentity")
            context.delete(heroes[0])
            try context.save()
        }
        let third = Self.heroes(3)
        third.entitiesByName["Hero"]?.attributesByName["secretIdentity"]?.preservesValueInHistoryOnDeletion = true
        try scene.with(third, options: options) { context in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
            let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
            #expect(transactions.count == 2)
            let changes = transactions.last?.changes ?? []
            #expect(Set(changes.map { $0.changedObjectID.entity.name }) == ["Hero"])
            let update = changes.first { $0.changeType == .update }
            #expect(update?.updatedProperties?.map(\.name) == ["secretIdentity"])
            let deletion = changes.first { $0.changeType == .delete }
            #expect(deletion?.tombstone?["secretIdentity"] as? String == "nobody")
        }
    }

    @Test("roles keep what they may do with tables, also with those that are made again (HAZ-61)")
    func rolesKeepWhatTheyMayDoWithTables() throws {
        let scene = try ServerScene(Self.heroes(3)) { Self.fill($0) }
        let role = "reader_of_\(scene.schema)"
        try scene.ask("CREATE ROLE \(role) LOGIN")
        try scene.ask("GRANT USAGE ON SCHEMA \(scene.schema) TO \(role)")
        try scene.ask("GRANT SELECT ON ALL TABLES IN SCHEMA \(scene.schema) TO \(role)")
        // Many-to-many: a new table of links; a parent: the heroes' table is made anew under its name.
        let next = ServerScene.model { temporary in
            temporary.entity("Being", ["name": .stringAttributeType])
            temporary.entity(
                "Hero", in: "Being", ["secretIdentity": .stringAttributeType, "salary": .decimalAttributeType])
            temporary.entity("Ability", ["name": .stringAttributeType])
            temporary.entity("Zone", ["name": .stringAttributeType])
            temporary.relationships("Hero.powers*", "Ability.hero*")
        }
        next.entitiesByName["Ability"]?.relationshipsByName["hero"]?.renamingIdentifier = "hero"
        #expect(try scene.with(next) { try $0.all("Hero").count } == 5)
        let missing = try scene.ask(
            "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' "
                + "AND NOT has_table_privilege('\(role)', oid, 'SELECT')")
        #expect(missing == [])
        #expect(try scene.ask("SELECT relname::text FROM pg_class WHERE relname = 'zzone'").isEmpty == false)
    }

    @Test("the stages of a manager lead a store on a server to its last version, handlers included (MIG-15)")
    func stagesOfManagerLeadStoreOnServerToItsLastVersion() throws {
        func version(_ number: Int) -> NSManagedObjectModel {
            ServerScene.model { temporary in
                temporary.entity("Person", ["fullName": .stringAttributeType, "first": .stringAttributeType])
                if number == 1 { temporary["Person"].properties.removeAll { $0.name == "first" } }
                if number == 3 { temporary["Person"].properties.removeAll { $0.name == "fullName" } }
                if number == 3 { temporary.attribute("Person.first").isOptional = false }
            }
        }
        func reference(_ number: Int) -> NSManagedObjectModelReference {
            let model = version(number)
            return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
        }
        let split = NSCustomMigrationStage(migratingFrom: reference(2), to: reference(3))
        split.willMigrateHandler = { manager, _ in
            let context = try #require(manager.container?.newBackgroundContext())
            try context.performAndWait {
                for person in try context.all("Person") {
                    let name = person.value(forKey: "fullName") as? String ?? ""
                    person.setValue(name.split(separator: " ").first.map(String.init), forKey: "first")
                }
                try context.save()
            }
        }
        let manager = NSStagedMigrationManager([
            NSLightweightMigrationStage([version(1).versionChecksum, version(2).versionChecksum]), split,
        ])
        let scene = try ServerScene(version(1)) { $0.insert("Person", ["fullName": "Ada Lovelace"]) }
        let options = [NSPersistentStoreStagedMigrationManagerOptionKey: manager]
        let names = try scene.with(version(3), options: options) { context in
            try context.all("Person").map { $0.value(forKey: "first") as? String }
        }
        #expect(names == ["Ada"])
    }

    @Test("a rule gives old rows on a server their values; an invalid one changes nothing (MIG-23)")
    func ruleGivesOldRowsOnServerTheirValues() throws {
        func model(_ rule: String) -> NSManagedObjectModel {
            ServerScene.model { temporary in
                temporary.entity("Note", ["title": .stringAttributeType, "sign": .stringAttributeType])
                temporary.attribute("Note.sign").isOptional = false
                temporary.attribute("Note.sign").userInfo = [CoreDataBackfillUserInfoKey: rule]
            }
        }
        let old = ServerScene.model { $0.entity("Note", ["title": .stringAttributeType]) }
        let scene = try ServerScene(old) { context in
            for number in 0..<2_500 { context.insert("Note", ["title": "n\(number)"]) }
        }
        let epoch = try scene.epoch
        let error = expectError(134110) { try scene.with(model("no function:(")) { _ in } }
        #expect(error?.localizedDescription.contains("Note.sign") == true)
        #expect(try scene.epoch == epoch)
        try scene.with(model("uppercase:(title)")) { context in
            let notes = try context.all("Note")
            #expect(notes.count == 2_500)
            #expect(
                notes.allSatisfy {
                    $0.value(forKey: "sign") as? String == ($0.value(forKey: "title") as? String)?.uppercased()
                })
        }
    }

    @Test("a plan lists the statements, what they lock and how long they may take, and changes nothing (MIG-24)")
    func planListsStatementsWithTheirLocks() throws {
        let scene = try ServerScene(Self.heroes(1)) { Self.fill($0) }
        try scene.ask("ANALYZE zhero")
        let (shape, epoch) = (try scene.shape(), try scene.epoch)
        let (old, new) = (Self.heroes(1), Self.heroes(4))
        let plan = try withExtendedLifetime((old, new)) {
            try PostgresStore.planSchemaMigration(
                SchemaMigrationRequest(
                    url: scene.url, options: [:], configuration: nil, source: ModelLayout.of(old),
                    destination: ModelLayout.of(new)))
        }
        let added = plan.steps.filter { $0.kind == "add column" }
        #expect(added.contains { $0.statement.contains("DEFAULT") })
        #expect(added.allSatisfy { $0.lock?.table == "zhero" && $0.lock?.mode == "ACCESS EXCLUSIVE" })
        #expect(added.allSatisfy { $0.lock?.rewrites == false })
        #expect(plan.steps.first?.lock?.table == "z_metadata")
        #expect(plan.steps.contains { $0.rows == 5 && $0.seconds != nil })
        #expect(try scene.shape() == shape && scene.epoch == epoch)
    }
}
