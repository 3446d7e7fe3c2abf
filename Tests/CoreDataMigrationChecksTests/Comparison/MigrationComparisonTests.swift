import CoreData
import CoreDataMigrationChecks
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// What the comparison of two states of a store notices.
@Suite struct MigrationComparisonTests {
    private static func model(_ change: (ModelBuilder) -> Void = { _ in }) -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Hero", ["name": .stringAttributeType, "age": .integer32AttributeType])
        builder.entity("Power", ["title": .stringAttributeType])
        builder.relationships("Hero.powers*", "Power.hero")
        change(builder)
        return builder.model
    }

    private static let old = model()

    /// A store with three heroes and four powers.
    private static func store() throws -> (folder: TemporaryFolder, url: URL) {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Test.sqlite")
        let stack = try Stack(old, url: url)
        for number in 1...3 {
            let hero = stack.context.insert("Hero", ["name": "Hero \(number)", "age": 30 + number])
            stack.context.insert("Power", ["title": "Power \(number)"]).setValue(hero, forKey: "hero")
        }
        stack.context.insert("Power", ["title": "Free"])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        return (folder, url)
    }

    private static func digest(
        _ url: URL, _ model: NSManagedObjectModel, _ counterparts: MigrationCounterparts, _ side: StoreDigest.Side
    ) throws -> StoreDigest {
        let stack = try Stack(
            model, url: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ])
        defer { try? stack.coordinator.remove(stack.store) }
        return try StoreDigest(stack.context, counterparts: counterparts, side: side)
    }

    /// What is noticed when statements change the store instead of a migration.
    private static func differences(
        _ statements: String..., keeping: MigrationCounterparts.Keeping = .keysAndValues
    ) throws -> [String] {
        let (folder, url) = try store()
        defer { withExtendedLifetime(folder) {} }
        let counterparts = MigrationCounterparts(old, old, keeps: keeping)
        let before = try digest(url, old, counterparts, .before)
        let connection = try Connection.open(url.path)
        for statement in statements { try connection.execute(statement) }
        connection.close()
        return MigrationComparison(
            before, after: try digest(url, old, counterparts, .after), counterparts: counterparts
        ).differences
    }

    @Test("what is not as it was is noticed: values, whose they are, links, objects (MIG-21)")
    func changesAreNoticed() throws {
        #expect(try Self.differences() == [])
        #expect(
            try Self.differences("UPDATE ZHERO SET ZNAME = 'other' WHERE Z_PK = 1")
                == ["attribute Hero.name: other values, 3 as before"])
        // The same values, of other objects.
        #expect(
            try Self.differences("UPDATE ZHERO SET ZAGE = 64 - ZAGE")
                == ["attribute Hero.age: other values, 3 as before"])
        #expect(
            try Self.differences("UPDATE ZHERO SET ZAGE = NULL WHERE Z_PK = 1")
                == ["attribute Hero.age: 3 values before, 2 after"])
        let links = try Self.differences("UPDATE ZPOWER SET ZHERO = 4 - ZHERO")
        #expect(
            links == [
                "relationship Hero.powers: other links, 3 as before",
                "relationship Power.hero: other links, 3 as before",
            ])
        let gone = try Self.differences("DELETE FROM ZPOWER WHERE ZHERO IS NULL")
        #expect(
            gone == [
                "entity Power: 4 objects before, 3 after", "attribute Power.title: 4 values before, 3 after",
            ])
    }

    @Test func whatAMappingMakesIsNotCompared() throws {
        #expect(try Self.differences("UPDATE ZHERO SET ZNAME = 'other'", keeping: .whatItSays) == [])
    }

    @Test("under new keys lost and changed values are noticed, and links are counted (MIG-21)")
    func changesUnderNewKeysAreNoticed() throws {
        #expect(
            try Self.differences("UPDATE ZHERO SET ZNAME = 'other' WHERE Z_PK = 1", keeping: .values)
                == ["attribute Hero.name: other values, 3 as before"])
        // The same values, of other objects.
        #expect(try Self.differences("UPDATE ZHERO SET ZAGE = 64 - ZAGE", keeping: .values) == [])
        let links = try Self.differences("UPDATE ZPOWER SET ZHERO = NULL", keeping: .values)
        #expect(links.contains("relationship Power.hero: 3 links before, 0 after"), "\(links)")
    }

    @Test("what is renamed with its identifier is found again, what is filled in is expected (MIG-08)")
    func renamedAndFilledPropertiesAreFound() throws {
        let (folder, url) = try Self.store()
        defer { withExtendedLifetime(folder) {} }
        let connection = try Connection.open(url.path)
        try connection.execute("UPDATE ZHERO SET ZAGE = NULL WHERE Z_PK = 2")
        connection.close()
        let new = Self.model { builder in
            builder["Hero"].name = "Champion"
            builder["Hero"].renamingIdentifier = "Hero"
            builder.attribute("Hero.age").isOptional = false
            builder.attribute("Hero.age").defaultValue = 5
        }
        let counterparts = MigrationCounterparts(Self.old, new, keeps: .keysAndValues)
        let before = try Self.digest(url, Self.old, counterparts, .before)
        let comparison = MigrationComparison(
            before, after: try Self.digest(url, new, counterparts, .after), counterparts: counterparts)
        #expect(comparison.differences == [])
        #expect(comparison.entities.map(\.old) == ["Hero", "Power"])
        #expect(comparison.entities.map(\.new) == ["Champion", "Power"])
        let age = try #require(comparison.properties.first { $0.name == "age" })
        #expect((age.before, age.after) == (3, 3))
    }

    private static func paints(_ elements: [(name: String, identifier: String?)]) -> NSManagedObjectModel {
        let color = NSCompositeAttributeDescription()
        (color.name, color.isOptional) = ("color", true)
        color.elements = elements.map { name, identifier in
            let element = NSAttributeDescription()
            (element.name, element.attributeType, element.renamingIdentifier) = (name, .doubleAttributeType, identifier)
            element.isOptional = true
            if name == "blue" { element.defaultValue = 0.125 }
            return element
        }
        let builder = ModelBuilder()
        builder.entity("Paint", ["name": .stringAttributeType])
        builder["Paint"].properties.append(color)
        return builder.model
    }

    @Test("elements of composite attributes are compared each by itself: renamed, new and gone ones too (MIG-21)")
    func elementsAreComparedOneByOne() throws {
        let before = Self.paints([("red", nil), ("green", nil), ("grade", nil)])
        let after = Self.paints([("rouge", "red"), ("blue", nil), ("grade", nil)])
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Test.sqlite")
        let stack = try Stack(before, url: url)
        stack.context.insert("Paint", ["name": "a", "color": ["red": 0.5, "green": 0.25, "grade": 3.0]])
        stack.context.insert("Paint", ["name": "b", "color": ["red": 0.75]])
        stack.context.insert("Paint", ["name": "c"])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)

        let counterparts = MigrationCounterparts(before, after, keeps: .keysAndValues)
        let was = try Self.digest(url, before, counterparts, .before)
        let comparison = MigrationComparison(
            was, after: try Self.digest(url, after, counterparts, .after), counterparts: counterparts)
        #expect(comparison.differences == [])
        let rows = comparison.properties.map {
            "\($0.old ?? "-") \($0.new ?? "-") \($0.before) \($0.after) \($0.agrees)"
        }
        #expect(
            rows == [
                "- color.blue 0 2 true", "color.grade color.grade 1 1 true", "color.green - 1 0 true",
                "color.red color.rouge 2 2 true", "name name 3 3 true",
            ])

        let connection = try Connection.open(url.path)
        try connection.execute("UPDATE ZPAINT SET ZROUGE = 0.1 WHERE ZNAME = 'b'")
        connection.close()
        let changed = MigrationComparison(
            was, after: try Self.digest(url, after, counterparts, .after), counterparts: counterparts)
        #expect(
            changed.differences == ["attribute Paint.color.rouge, renamed from color.red: other values, 2 as before"])
    }

    @Test func brokenRulesAreCountedByProperty() throws {
        let (folder, url) = try Self.store()
        defer { withExtendedLifetime(folder) {} }
        let strict = Self.model { builder in
            builder.attribute("Hero.age").setValidationPredicates(
                [NSPredicate(format: "SELF < 32")], withValidationWarnings: ["too old"])
        }
        let stack = try Stack(strict, url: url)
        let validation = try ObjectValidation(stack.context, strict)
        #expect(validation.objects == 7)
        #expect(validation.invalid == 2)
        #expect(validation.summary.map(\.failure.property) == ["age"])
        #expect(validation.summary.map(\.failure.entity) == ["Hero"])
        #expect(validation.summary.map(\.objects) == [2])
    }
}
