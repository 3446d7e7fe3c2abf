import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

/// R-tree fetch indexes: made, kept up, asked, and those that Apple's framework made.
@Suite struct RegionIndexTests {
    private static func model(_ change: (ModelBuilder) -> Void = { _ in }) -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Asset",
            [
                "latitude": .doubleAttributeType, "longitude": .doubleAttributeType, "name": .stringAttributeType,
            ])
        let elements = ["latitude", "longitude"].compactMap { builder["Asset"].propertiesByName[$0] }.map {
            NSFetchIndexElementDescription(property: $0, collationType: .rTree)
        }
        builder["Asset"].indexes = [NSFetchIndexDescription(name: "boundedByRect", elements: elements)]
        change(builder)
        return builder.model
    }

    private static var region: NSPredicate {
        NSPredicate(format: "latitude >= %f AND latitude <= %f AND longitude BETWEEN {%f, %f}", 47.1, 47.9, 8.1, 8.9)
    }

    private func fill(_ stack: Stack) throws {
        for row in 0..<30 {
            for column in 0..<30 {
                stack.context.insert(
                    "Asset",
                    ["latitude": 45 + Double(row) / 7, "longitude": 6 + Double(column) / 7, "name": "\(row) \(column)"])
            }
        }
        stack.context.insert("Asset", ["name": "nowhere"])
        stack.context.insert("Asset", ["name": "half", "latitude": 47.5])
        try stack.context.save()
    }

    private func plan(_ stack: Stack, _ predicate: NSPredicate) throws -> [String] {
        let store = try #require(stack.store as? SQLiteStore)
        let layout = try #require(ModelLayout.of(stack.model).layout(named: "Asset"))
        let query = FetchQuery(
            binding: store.binding(for: layout), predicate: predicate, sortDescriptors: [], limit: 0)
        return try store.withBackend { try $0.explain(query, candidates: [], greatestCopy: 1 << 30) }
            .explanation.planLines
    }

    private func names(_ stack: Stack, _ predicate: NSPredicate) throws -> Set<String> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Asset")
        request.predicate = predicate
        return Set(try stack.context.fetch(request).compactMap { $0.value(forKey: "name") as? String })
    }

    /// What the predicate says of the objects themselves.
    private func expected(_ stack: Stack, _ predicate: NSPredicate) throws -> Set<String> {
        let all = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Asset"))
        return Set(all.filter { predicate.evaluate(with: $0) }.compactMap { $0.value(forKey: "name") as? String })
    }

    @Test("a region is found by its R-tree, exactly, and the tree follows what is saved (STO-19)")
    func regionsAreFound() throws {
        let stack = try Stack(Self.model())
        try fill(stack)
        #expect(try stack.integer("SELECT count(*) FROM Z_RT_Asset_boundedByRect") == 902)
        let predicates = [
            Self.region, NSPredicate(format: "latitude BETWEEN {-1, 1} AND longitude BETWEEN {-1, 1}"),
            NSPredicate(format: "latitude == 47.0 AND longitude > 7 AND longitude < 8"),
            NSPredicate(
                format: "latitude > 47 AND latitude < 1e300 AND longitude > -1e300 AND longitude < 7"),
            NSPredicate(
                format: "(latitude > 45.1 AND latitude < 45.3 AND longitude > 6 AND longitude < 6.5) OR name == 'half'"),
        ]
        for predicate in predicates {
            let lines = try plan(stack, predicate)
            #expect(lines.contains { $0.contains("VIRTUAL TABLE INDEX") }, "\(predicate): \(lines)")
            #expect(try names(stack, predicate) == expected(stack, predicate), "\(predicate)")
        }
        #expect(try !names(stack, Self.region).isEmpty)
        // One bound is missing, so the tree would find half of everything.
        let open = NSPredicate(format: "latitude > 47 AND longitude > 6 AND longitude < 7")
        #expect(try !plan(stack, open).contains { $0.contains("VIRTUAL") })
        #expect(try names(stack, open) == expected(stack, open))

        let moved = try #require(try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Asset")).first)
        moved.setValue(47.5, forKey: "latitude")
        moved.setValue(8.5, forKey: "longitude")
        moved.setValue("moved", forKey: "name")
        try stack.context.save()
        #expect(try names(stack, Self.region).contains("moved"))
        stack.context.delete(moved)
        try stack.context.save()
        #expect(try !names(stack, Self.region).contains("moved"))
        #expect(try stack.integer("SELECT count(*) FROM Z_RT_Asset_boundedByRect") == 901)
    }

    @Test("numbers that 32 bits do not hold are found at their very bounds (STO-19)")
    func roundedNumbers() throws {
        let stack = try Stack(Self.model())
        let numbers = [
            0.1, 1e-38, 1e-45, -1e-40, 1e39, -1e300, 16_777_217, 0.30000000000000004, .greatestFiniteMagnitude,
        ]
        for number in numbers {
            stack.context.insert("Asset", ["latitude": number, "longitude": number, "name": "\(number)"])
        }
        try stack.context.save()
        for number in numbers {
            let predicate = NSPredicate(
                format: "latitude >= %@ AND latitude <= %@ AND longitude == %@", number as NSNumber, number as NSNumber,
                number as NSNumber)
            #expect(try names(stack, predicate) == ["\(number)"])
            #expect(try plan(stack, predicate).contains { $0.contains("VIRTUAL") })
        }
    }

    @Test(
        "a store with Apple's own tree and triggers is written, and its tree is asked (STO-19)",
        arguments: ["Z_RT_Asset_boundedByRect", "Z_Asset_boundedByRect"])
    func appleTrees(name: String) throws {
        let stack = try Stack(Self.model { $0["Asset"].indexes = [] })
        try fill(stack)
        try stack.coordinator.remove(stack.store)
        // Apple's texts, of which the update trigger's has no blank before the comma here.
        try SampleStore.tamper(
            stack.url,
            """
            CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY, ZLATITUDE_MIN FLOAT, \
            ZLATITUDE_MAX FLOAT, ZLONGITUDE_MIN FLOAT, ZLONGITUDE_MAX FLOAT)
            """,
            """
            INSERT INTO \(name) SELECT Z_PK, ZLATITUDE, ZLATITUDE, ZLONGITUDE, ZLONGITUDE FROM ZASSET
            """,
            """
            CREATE TRIGGER \(name)_INSERT AFTER INSERT ON ZASSET FOR EACH ROW BEGIN INSERT OR REPLACE INTO \
            \(name) (Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX, ZLONGITUDE_MIN, ZLONGITUDE_MAX) VALUES (NEW.Z_PK, \
            NEW.ZLATITUDE ,NEW.ZLATITUDE, NEW.ZLONGITUDE, NEW.ZLONGITUDE) ; END
            """,
            """
            CREATE TRIGGER \(name)_UPDATE AFTER UPDATE ON ZASSET FOR EACH ROW BEGIN DELETE FROM \
            \(name) WHERE Z_PK = NEW.Z_PK ; INSERT INTO \(name) (Z_PK, ZLATITUDE_MIN, \
            ZLATITUDE_MAX, ZLONGITUDE_MIN, ZLONGITUDE_MAX) VALUES (NEW.Z_PK, NEW.ZLATITUDE, NEW.ZLATITUDE, NEW.ZLONGITUDE, \
            NEW.ZLONGITUDE) ; END
            """,
            """
            CREATE TRIGGER \(name)_DELETE AFTER DELETE ON ZASSET FOR EACH ROW BEGIN DELETE FROM \
            \(name) WHERE Z_PK = OLD.Z_PK ; END
            """)
        let again = try Stack(Self.model(), url: stack.url)
        #expect(again.store.isReadOnly == false)
        #expect(try plan(again, Self.region).contains { $0.contains("VIRTUAL") })
        #expect(try names(again, Self.region) == expected(again, Self.region))
        again.context.insert("Asset", ["latitude": 47.5, "longitude": 8.5, "name": "new"])
        try again.context.save()
        #expect(try names(again, Self.region).contains("new"))
        #expect(try again.integer("SELECT count(*) FROM \(name)") == 903)
        #expect((again.store as? SQLiteStore)?.problems.contains { $0.contains("Z_RT_") } != true)
    }

    @Test("dozens of foreign triggers are one sentence, and the store is read (STO-19, HAZ-10)")
    func sto19HAZ10() throws {
        let stack = try Stack(Self.model())
        try fill(stack)
        try stack.coordinator.remove(stack.store)
        let triggers = (0..<56).map {
            "CREATE TRIGGER ZT_Count_\($0) AFTER INSERT ON ZASSET BEGIN UPDATE ZASSET SET ZNAME = 'x' WHERE Z_PK = 0; END"
        }
        for trigger in triggers { try SampleStore.tamper(stack.url, trigger) }
        let again = try Stack(Self.model(), url: stack.url)
        #expect(again.store.isReadOnly)
        #expect(try names(again, Self.region) == expected(again, Self.region))
        let problems = try #require((again.store as? SQLiteStore)?.problems)
        #expect(problems.filter { $0.contains("ZT_") }.count == 1)
        #expect(problems.contains { $0.contains("56 triggers") && $0.contains("and 53 more") })
    }

    @Test("a migration makes trees again, and makes and removes those that the model has and has not (STO-19, MIG-18)")
    func sto19MIG18() throws {
        let stack = try Stack(Self.model())
        try fill(stack)
        try stack.coordinator.remove(stack.store)
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let renamed = Self.model { builder in
            builder.entity("Aaa", ["x": .stringAttributeType])
            builder.attribute("Asset.name").renamingIdentifier = "name"
            builder["Asset"].propertiesByName["latitude"]?.isOptional = false
            builder.attribute("Asset.latitude").defaultValue = 0.0
        }
        let second = try Stack(renamed, url: stack.url, options: options)
        #expect(try plan(second, Self.region).contains { $0.contains("VIRTUAL") })
        #expect(try names(second, Self.region) == expected(second, Self.region))
        try second.coordinator.remove(second.store)
        let without = Self.model { builder in
            builder["Asset"].indexes = []
            builder.entity("Bbb", ["x": .stringAttributeType])
        }
        let third = try Stack(without, url: stack.url, options: options)
        #expect(try third.integer("SELECT count(*) FROM sqlite_master WHERE name LIKE 'Z\\_RT\\_%' ESCAPE '\\'") == 0)
        try third.coordinator.remove(third.store)
        let fourth = try Stack(renamed, url: stack.url, options: options)
        #expect(try fourth.integer("SELECT count(*) FROM Z_RT_Asset_boundedByRect") == 902)
        #expect(try names(fourth, Self.region) == expected(fourth, Self.region))
    }
}
