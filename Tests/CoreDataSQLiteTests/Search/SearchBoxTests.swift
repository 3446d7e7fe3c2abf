import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

/// Boxes of a pair of coordinates, found by the R-tree beside the store.
@Suite struct SearchBoxTests {
    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Place",
            [
                "latitude": .doubleAttributeType, "longitude": .doubleAttributeType, "row": .integer64AttributeType,
                "day": .dateAttributeType, "name": .stringAttributeType,
            ])
        builder.entity("Town", in: "Place", ["size": .integer32AttributeType])
        builder.attribute("Place.latitude").userInfo = [CoreDataSearchPairUserInfoKey: "longitude"]
        builder.attribute("Place.row").userInfo = [CoreDataSearchPairUserInfoKey: "day"]
        return builder.model
    }

    private static let numbers: [Double] = [
        0, -0.0, 1, 2, 3.5, 48.137, 11.5755, -90, 180, 1e-300, 1.0000000001, 16_777_217, 3e38, 3.5e38, 1e300, -1e300,
        .infinity,
        -.infinity,
    ]

    private func number(_ random: inout SeededRandom) -> Double {
        random.next(below: 3) == 0
            ? Self.numbers[random.next(below: Self.numbers.count)] : Double(random.next(below: 400)) / 8 - 20
    }

    private func day(_ random: inout SeededRandom) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(random.next(below: 100)) * 86_400)
    }

    private func keys(_ context: NSManagedObjectContext, _ predicate: NSPredicate) throws -> [Int64] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Place")
        request.predicate = predicate
        request.resultType = .managedObjectIDResultType
        return try context.fetch(request).compactMap { Int64($0.uriRepresentation().lastPathComponent.dropFirst()) }
            .sorted()
    }

    /// The answer of the store with the index, and that of the same statement without.
    private func both(_ stack: Stack, _ predicate: NSPredicate) throws -> (
        found: [Int64], asked: Bool, scanned: [Int64]
    ) {
        var found: [Int64] = []
        let asked = try stack.statements { found = try keys(stack.context, predicate) }
            .contains { $0.contains("search.box") && $0.contains("ZPLACE") }
        let plain = try stack.file.compiled { [query = try query(stack, predicate)] in
            try $0.select(query, columns: ["Z_PK"])
        }
        let statement = try stack.file.prepare(plain)
        var scanned: [Int64] = []
        while try statement.step() { scanned.append(statement.int64(0)) }
        return (found, asked, scanned.sorted())
    }

    private func query(_ stack: Stack, _ predicate: NSPredicate) throws -> FetchQuery {
        let store = try #require(stack.store as? SQLiteStore)
        let layout = try #require(ModelLayout.of(stack.model).layout(named: "Place"))
        return FetchQuery(binding: store.binding(for: layout), predicate: predicate)
    }

    private func change(_ stack: Stack, _ url: URL, _ random: inout SeededRandom) throws {
        for place in try stack.context.all("Place") {
            switch random.next(below: 6) {
            case 0: place.setValue(number(&random), forKey: "latitude")
            case 1: place.setValue(random.next(below: 2) == 0 ? nil : number(&random), forKey: "longitude")
            case 2: stack.context.delete(place)
            default: break
            }
        }
        for index in 0..<25 {
            stack.context.insert(
                index % 4 == 0 ? "Town" : "Place",
                [
                    "latitude": number(&random), "longitude": number(&random), "row": random.next(below: 50),
                    "day": day(&random),
                ])
        }
        try stack.context.save()
        stack.context.reset()
        let update = NSBatchUpdateRequest(entityName: "Place")
        update.predicate = NSPredicate(format: "row == %d", random.next(below: 50))
        update.propertiesToUpdate = ["latitude": number(&random), "row": 7]
        try stack.context.execute(update)
        guard random.next(below: 2) == 0 else { return }
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        let values = [
            "'text'", "x'00'", "NULL", "12", "9e999", "-9e999", "9223372036854775807", "'12'",
        ]
        try connection.execute(
            "UPDATE ZPLACE SET ZLATITUDE = \(values[random.next(below: values.count)]) WHERE Z_PK % 7 = 2")
        try connection.execute(
            "UPDATE ZPLACE SET ZROW = \(values[random.next(below: values.count)]) WHERE Z_PK % 7 = 4")
    }

    private func predicate(_ random: inout SeededRandom) -> NSPredicate {
        let x = [number(&random), number(&random)].sorted()
        let y = [number(&random), number(&random)].sorted()
        switch random.next(below: 6) {
        case 0:
            return NSPredicate(
                format: "latitude >= %@ AND latitude < %@ AND longitude > %@ AND longitude <= %@", x[0], x[1], y[0],
                y[1])
        case 1: return NSPredicate(format: "latitude == %@ AND longitude BETWEEN %@", x[0], y)
        case 2:
            return NSPredicate(
                format: "row BETWEEN %@ AND day >= %@ AND day <= %@",
                [random.next(below: 25), 25 + random.next(below: 25)],
                day(&random), Date(timeIntervalSinceReferenceDate: 90 * 86_400))
        case 3:
            return NSPredicate(
                format: "(latitude BETWEEN %@ AND longitude BETWEEN %@) OR row == 3", x, y)
        case 4: return NSPredicate(format: "NOT (latitude BETWEEN %@ AND longitude BETWEEN %@)", x, y)
        default: return NSPredicate(format: "latitude BETWEEN %@ AND longitude BETWEEN %@", x, y)
        }
    }

    @Test("boxes give the same with and without the index (FET-03)", arguments: TestSeed.sequences(3, exhaustive: 100))
    func answersAreTheSameWithAndWithout(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Places.sqlite")
        var stack = try Stack(Self.model(), url: url)
        var used = 0
        for step in 0..<8 {
            try change(stack, url, &random)
            if step == 4 {
                try stack.coordinator.remove(stack.store)
                stack = try Stack(Self.model(), url: url)
            }
            // After a foreign commit the index is compared at the next save.
            stack.context.insert("Place")
            try stack.context.save()
            for _ in 0..<20 {
                let predicate = predicate(&random)
                let answer = try both(stack, predicate)
                #expect(answer.found == answer.scanned, "seed \(seed), step \(step): \(predicate.formatString)")
                if answer.asked { used += 1 }
            }
        }
        // How often depends on the machine: a save waits for the index for a short time only.
        #expect(used > 0, "seed \(seed)")
        try stack.coordinator.remove(stack.store)
    }

    @Test func explanationShowsTheIndex() throws {
        let stack = try Stack(Self.model())
        for row in 0..<500 {
            stack.context.insert("Place", ["latitude": Double(row % 25), "longitude": Double(row / 25)])
        }
        try stack.context.save()
        let query = try query(stack, NSPredicate(format: "latitude BETWEEN {3, 4} AND longitude BETWEEN {5, 6}"))
        let store = try #require(stack.store as? SQLiteStore)
        let (explanation, _) = try store.withBackend { try $0.explain(query, candidates: [], greatestCopy: 0) }
        #expect(explanation.sql.contains("search.box0"))
        #expect(explanation.rowsReturned == 4)
        #expect(explanation.rowsVisited < 50, "\(explanation.rowsVisited)")
    }

    @Test func falseIndexMakesNoFalseResults() throws {
        let stack = try Stack(Self.model())
        stack.context.insert("Place", ["latitude": 1.0, "longitude": 2.0])
        stack.context.insert("Place", ["latitude": 50.0, "longitude": 50.0])
        try stack.context.save()
        let side = try Connection.open(stack.url.path + "-search")
        try side.execute("UPDATE box0 SET minX = 1, maxX = 1, minY = 1, maxY = 1 WHERE key = 2")
        try side.execute("INSERT INTO box0 VALUES (900, 1, 1, 1, 1, 1, 1)")
        side.close()
        let predicate = NSPredicate(format: "latitude BETWEEN {0, 9} AND longitude BETWEEN {0, 9}")
        #expect(try keys(stack.context, predicate) == [1])
    }

    @Test func placesKeepTheOrderOfNumbers() throws {
        let pairs = [0.0, -0.0, 1e-300, -1e-300, 1e-37, 1, 3e38, 1e300, .infinity].map(SearchPair.place)
        #expect(pairs.allSatisfy { Float($0).isFinite && ($0 == 0 || abs(Float($0)) >= Float.leastNormalMagnitude) })
        let ordered = [-.infinity, -1e300, -1, -1e-300, 0, 1e-300, 1, 1e300, .infinity].map(SearchPair.place)
        #expect(ordered == ordered.sorted())
        #expect(SearchPair.place(of: nil) == SearchPair.place(of: .infinity))
    }
}
