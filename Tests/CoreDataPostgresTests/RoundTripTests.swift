import CoreData
import Foundation
import PostgresKit
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// How often a store waits for its server, whatever the number of objects.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct RoundTripTests {
    private static let count = 10_000

    private let stack: Stack
    private let store: PostgresStore

    init() throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType, "number": .integer64AttributeType])
        builder.entity("Part", ["name": .stringAttributeType, "data": .binaryDataAttributeType])
        builder.relationships("Item.parts*", "Part.item")
        builder["Item"].uniquenessConstraints = [["number"]]
        stack = try Stack(
            builder.model, url: try PostgresServer.shared.get().makeURL("trips"), kind: .postgreSQL,
            options: HistoryModel.options.merging([NSPersistentStoreConnectionPoolMaxSizeKey: 1]) { $1 })
        store = try #require(stack.store.objects as? PostgresStore)
    }

    /// How often the connection that writes and the one that reads wait for an answer while a body runs.
    private func trips(_ body: () throws -> Void) rethrows -> Int {
        let before = store.session.connection.roundTrips + store.pool.idleRoundTrips
        try body()
        return store.session.connection.roundTrips + store.pool.idleRoundTrips - before
    }

    private func parts(_ format: String? = nil, prefetching paths: [String] = []) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Part")
        request.predicate = format.map { NSPredicate(format: $0) }
        request.relationshipKeyPathsForPrefetching = paths
        return try stack.context.fetch(request)
    }

    @Test("fetches are one round trip, saves at most three, and a prefetch two beside its fetch, whatever their size")
    func fetchesAreOneRoundTrip() throws {
        let saved = try trips {
            for number in 0..<Self.count {
                let item = stack.context.insert("Item", ["name": "\(number)", "number": number])
                stack.context.insert("Part", ["name": "\(number)", "item": item])
            }
            try stack.context.obtainPermanentIDs(for: Array(stack.context.insertedObjects))
            let keys = store.session.connection.roundTrips
            try stack.context.save()
            #expect((2...3).contains(store.session.connection.roundTrips - keys))
        }
        #expect(saved <= 2 + 3, "keys of two entities beside the save")
        stack.context.reset()
        // Readers are connected with the first questions, which takes round trips too.
        _ = try parts("name == 'nothing'")
        _ = try parts("name == 'nothing'", prefetching: ["item"])
        for format in [nil, "name != 'x'"] {
            var found = 0
            let fetched = try trips { found = try parts(format).count }
            #expect(fetched == 1 && found == Self.count)
        }
        stack.context.reset()
        let fetched = try trips { _ = try parts("name == 'nothing'", prefetching: ["item"]) }
        var objects: [NSManagedObject] = []
        let prefetched = try trips { objects = try parts(prefetching: ["item"]) } - fetched
        #expect((1...2).contains(prefetched), "\(prefetched)")
        let fired = trips {
            let items = objects.compactMap { $0.value(forKey: "item") as? NSManagedObject }
            #expect(items.count == Self.count && items.allSatisfy { $0.value(forKey: "number") != nil })
        }
        #expect(fired == 0)
    }

    @Test("a save of few objects is one round trip, and three more where a conflict is reported")
    func fewObjects() throws {
        let item = stack.context.insert("Item", ["name": "first", "number": 1])
        try stack.context.obtainPermanentIDs(for: Array(stack.context.insertedObjects))
        #expect(try trips { try stack.context.save() } == 1, "an insertion with a value that must be unique")
        item.setValue("second", forKey: "name")
        #expect(try trips { try stack.context.save() } == 1, "an update")
        item.setValue(2, forKey: "number")
        #expect(try trips { try stack.context.save() } == 1, "an update of a value that must be unique")
        #expect(
            try stack.context.transactions().map(\.lines) == [
                ["insert Item"], ["update Item.name"], ["update Item.number"],
            ])
        let other = try stack.another()
        try other.context.all("Item")[0].setValue("other", forKey: "name")
        try other.context.save()
        item.setValue("third", forKey: "name")
        let conflicting = trips {
            let error = expectError(NSManagedObjectMergeError) { try stack.context.save() }
            #expect((error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any])?.count == 1)
        }
        #expect(conflicting <= 5, "the save, its end, the plan, its end, and what the store has: \(conflicting)")
        stack.context.rollback()
        stack.context.insert("Item", ["number": 2])
        let refused = trips {
            expectError(NSManagedObjectConstraintMergeError) { try stack.context.save() }
        }
        #expect(refused <= 5, "\(refused)")
        #expect(try other.context.transactions().count == 4)
    }

    @Test("what a copy hands over are the values of every type, and rows that come by a result are the same")
    func copiedValues() throws {
        let text = "a\u{0}b\u{1}é"
        let item = stack.context.insert("Item", ["name": text, "number": -1])
        stack.context.insert("Part", ["name": "", "data": Data([0, 255]), "item": item])
        stack.context.insert("Part", ["data": Data()])
        try stack.context.save()
        stack.context.reset()
        for format in [nil, "name != 'x'"] {
            let found = try parts(format)
            #expect(found.map { $0.value(forKey: "name") as? String } == ["", nil])
            #expect(found.map { $0.value(forKey: "data") as? Data } == [Data([0, 255]), Data()])
            let owner = try #require(found.first?.value(forKey: "item") as? NSManagedObject)
            #expect(owner.value(forKey: "name") as? String == text && owner.value(forKey: "number") as? Int == -1)
            stack.context.reset()
        }
    }

    @Test(
        "a malformed copy is an error (HAZ-61)",
        arguments: [
            "", "PGCOPX\n", "PGCOPY\n\u{FF}\r\n\0\0\0\0\0\0\0\0\0\0\u{2}\u{FF}\u{FF}\u{FF}\u{FF}",
            "PGCOPY\n\u{FF}\r\n\0\0\0\0\0\0\0\0\0\0\u{1}\0\0\0\u{9}abc", "PGCOPY\n\u{FF}\r\n\0\0\0\0\0\0\0\0\0",
            "PGCOPY\n\u{FF}\r\n\0\0\0\0\0\u{7F}\0\0\0",
        ])
    func malformedCopyIsError(text: String) {
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        #expect(throws: PostgresError.self) {
            let row = CopiedRow(width: 1)
            try bytes.withUnsafeBytes { try row.read($0) {} }
            try row.requireEnd()
        }
    }
}
