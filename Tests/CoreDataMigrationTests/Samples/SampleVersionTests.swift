import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataMigration

/// The versions of the books' programs, led to each other in every order.
@Suite struct SampleVersionTests {
    // MARK: SuperDB

    private static func heroes(_ version: Int) -> NSManagedObjectModel {
        MigrationScene.model { temporary in
            temporary.entity(
                "Hero",
                [
                    "name": .stringAttributeType, "secretIdentity": .stringAttributeType,
                    "birthDate": .dateAttributeType,
                    "sex": .stringAttributeType,
                ])
            for (key, value) in [("name", "Untitled Hero"), ("secretIdentity", "Unknown")] {
                temporary.attribute("Hero.\(key)").isOptional = false
                temporary.attribute("Hero.\(key)").defaultValue = value
            }
            if version > 1 {
                let added = LightweightMigrationTests.attributes([
                    "age": .integer16AttributeType, "favoriteColor": .binaryDataAttributeType,
                ])
                added[0].isTransient = true
                temporary["Hero"].properties += added
            }
            guard version > 2 else { return }
            temporary.entity("Power", ["name": .stringAttributeType, "source": .stringAttributeType])
            temporary.attribute("Power.name").isOptional = false
            temporary.attribute("Power.name").defaultValue = "New Power"
            temporary.relationships("Hero.powers*", "Power.hero", .cascadeDeleteRule, .nullifyDeleteRule)
        }
    }

    private static func fill(_ context: NSManagedObjectContext) {
        for row in SuperDB.rows {
            context.insert(
                "Hero",
                [
                    "name": row.name, "secretIdentity": row.identity,
                    "birthDate": row.birthDate.map { Date(timeIntervalSinceReferenceDate: $0) }, "sex": row.sex,
                ])
        }
    }

    private static func expectHeroes(_ context: NSManagedObjectContext, _ order: [Int]) throws {
        let heroes = try context.all("Hero", sortedBy: "name")
        #expect(heroes.map { $0.value(forKey: "name") as? String } == SuperDB.rows.map(\.name), "\(order)")
        #expect(heroes.map { $0.value(forKey: "secretIdentity") as? String } == SuperDB.rows.map(\.identity))
        let dates = heroes.map { ($0.value(forKey: "birthDate") as? Date)?.timeIntervalSinceReferenceDate }
        #expect(dates == SuperDB.rows.map(\.birthDate))
        #expect(heroes.map { $0.value(forKey: "sex") as? String } == SuperDB.rows.map(\.sex))
    }

    @Test(
        "SuperDB's versions open each other's stores in every order (MIG-01, MIG-15, MIG-16, SAMPLE-04)",
        arguments: [[1, 2, 3], [1, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1], [1, 2, 1, 3, 1]])
    func superDB(order: [Int]) throws {
        let scene = try MigrationScene(Self.heroes(order[0]), Self.fill)
        scene.options[CoreDataMigrationKeepsValuesOption] = true
        for (place, version) in order.enumerated().dropFirst() {
            try scene.with(Self.heroes(version)) { context in
                try Self.expectHeroes(context, order)
                let heroes = try context.all("Hero", sortedBy: "name")
                if version > 1, !order[..<place].contains(where: { $0 > 1 }) {
                    #expect(heroes.allSatisfy { $0.value(forKey: "favoriteColor") == nil })
                }
                if version > 2 {
                    #expect(heroes.allSatisfy { ($0.value(forKey: "powers") as? NSSet)?.count == 0 })
                }
            }
        }
        let columns = try scene.rows("SELECT name FROM pragma_table_info('ZHERO')").compactMap { $0[0].text }
        #expect(columns.contains("ZFAVORITECOLOR") == (order.last != 1) && !columns.contains("ZAGE"))
    }

    @Test("colours and powers that version 3 has come back after version 1 (SAMPLE-04)")
    func superDBAndBack() throws {
        let scene = try MigrationScene(Self.heroes(3)) { context in
            Self.fill(context)
            let hero = try #require(try context.all("Hero", sortedBy: "name").first)
            hero.setValue(Data("0.250000,0.500000,0.750000,1.000000".utf8), forKey: "favoriteColor")
            for name in ["Flight", "Fire"] { context.insert("Power", ["name": name]).setValue(hero, forKey: "hero") }
        }
        scene.options[CoreDataMigrationKeepsValuesOption] = true
        try scene.with(Self.heroes(1)) { try Self.expectHeroes($0, [3, 1]) }
        try scene.with(Self.heroes(3)) { context in
            try Self.expectHeroes(context, [3, 1, 3])
            let hero = try #require(try context.all("Hero", sortedBy: "name").first)
            let powers = hero.value(forKey: "powers") as? Set<NSManagedObject> ?? []
            #expect(Set(powers.compactMap { $0.value(forKey: "name") as? String }) == ["Flight", "Fire"])
            #expect((hero.value(forKey: "favoriteColor") as? Data)?.count == 35)
        }
    }

    // MARK: Random People

    /// 1: names and date; 2: the colour's data; 3: the colour as a transformable; 4: the year of birth.
    private static func people(_ version: Int) -> NSManagedObjectModel {
        MigrationScene.model { temporary in
            temporary.entity(
                "Person",
                [
                    "firstName": .stringAttributeType, "lastName": .stringAttributeType,
                    "dateOfBirth": .dateAttributeType,
                ])
            func add(_ name: String, _ type: NSAttributeType) {
                temporary["Person"].properties += LightweightMigrationTests.attributes([name: type]
                )
            }
            if version == 2 { add("eyeColorData", .binaryDataAttributeType) }
            if version > 2 { add("eyeColor", .binaryDataAttributeType) }
            if version == 3 || version == 4 {
                temporary.attribute("Person.eyeColor").renamingIdentifier = "eyeColorData"
            }
            if version > 3 { add("yearOfBirth", .integer32AttributeType) }
        }
    }

    @Test(
        "the versions of Random People open each other's stores in every order (MIG-15, MIG-16, SAMPLE-08)",
        arguments: [
            [1, 2, 3, 4], [1, 4], [4, 3, 2, 1], [2, 4, 1, 3], [3, 1, 4, 2], [2, 1, 4], [4, 1, 2], [3, 2, 3, 4, 3],
        ])
    func randomPeople(order: [Int]) throws {
        let names = ["John", "Jane", "Adam", "Amit", "Peter", "Mary", "Susan", "Anne", "Jeffery", "Mohammed"]
        let scene = try MigrationScene(Self.people(order[0])) { context in
            for (number, name) in names.enumerated() {
                let person = context.insert(
                    "Person",
                    [
                        "firstName": name, "lastName": "Smith",
                        "dateOfBirth": Date(timeIntervalSinceReferenceDate: Double(number) * 1_000_000),
                    ])
                let color = order[0] == 2 ? "eyeColorData" : order[0] > 2 ? "eyeColor" : nil
                if let color { person.setValue(Data([UInt8(number)]), forKey: color) }
            }
        }
        scene.options[CoreDataMigrationKeepsValuesOption] = true
        for version in order.dropFirst() {
            try scene.with(Self.people(version)) { context in
                let people = try context.all("Person", sortedBy: "dateOfBirth")
                #expect(people.map { $0.value(forKey: "firstName") as? String } == names, "\(order)")
                let color = version == 2 ? "eyeColorData" : version > 2 ? "eyeColor" : nil
                guard let color, order[0] > 1 else { return }
                #expect(
                    people.map { ($0.value(forKey: color) as? Data)?.first } == (0..<10).map { UInt8($0) }, "\(order)")
            }
        }
    }

    // MARK: MigrationTest

    @Test("Event gains an attribute, is renamed, and four rising versions open under the newest (SAMPLE-11)")
    func migrationTest() throws {
        func version(_ number: Int) -> NSManagedObjectModel {
            MigrationScene.model { temporary in
                let name = number < 3 ? "Event" : "Occurrence"
                temporary.entity(name, [number < 4 ? "timeStamp" : "startTime": .dateAttributeType])
                temporary[name].renamingIdentifier = "eventEntity"
                if number > 1 {
                    temporary[name].properties += LightweightMigrationTests.attributes([
                        "testAttribute": .stringAttributeType
                    ])
                }
                if number > 3 { temporary.attribute("Occurrence.startTime").renamingIdentifier = "timeStamp" }
            }
        }
        for number in 1...4 {
            let scene = try MigrationScene(version(number)) { context in
                let name = number < 3 ? "Event" : "Occurrence"
                let key = number < 4 ? "timeStamp" : "startTime"
                for day in 1...3 {
                    context.insert(name, [key: Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)])
                }
            }
            if number < 4 { expectError(134100) { try scene.with(version(4), options: [:]) { _ in } } }
            try scene.with(version(4)) { context in
                let days = try context.all("Occurrence", sortedBy: "startTime")
                    .compactMap { ($0.value(forKey: "startTime") as? Date)?.timeIntervalSinceReferenceDate }
                #expect(days == [86_400, 172_800, 259_200], "version \(number)")
            }
        }
    }
}
