import CoreData
import SQLiteKit
import StoreContract
import Testing

@Suite struct SaveGroupingTests {
    private struct Stopped: Error {}

    /// An entity with a value that is kept in a file of its own when it is large.
    private static func stack() throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType, "image": .binaryDataAttributeType])
        builder.attribute("Item.image").allowsExternalBinaryDataStorage = true
        return try Stack(builder.model, options: [NSPersistentHistoryTrackingKey: true])
    }

    private func insert(_ name: String, _ stack: Stack, size: Int = 0) throws {
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: stack.context)
        item.setValue(name, forKey: "name")
        if size > 0 { item.setValue(Data(count: size), forKey: "image") }
        try stack.context.save()
    }

    private func together(_ stack: Stack, _ body: () throws -> Void) throws {
        let store = try #require(stack.coordinator.persistentStores.first)
        let grouping = try #require(store.objects?.saveGrouping)
        try store.serialized { try grouping.savingTogether(body) }
    }

    private func names(_ stack: Stack) throws -> [String] {
        let connection = try Connection.open(stack.url.path)
        defer { connection.close() }
        return try connection.rows("SELECT ZNAME FROM ZITEM ORDER BY Z_PK").compactMap { $0[0].text }
    }

    private func largeFiles(_ stack: Stack) -> Int {
        let folder = stack.url.deletingLastPathComponent().appendingPathComponent(".Test_SUPPORT/_EXTERNAL_DATA")
        return (try? FileManager.default.contentsOfDirectory(atPath: folder.path).count) ?? 0
    }

    @Test("saves of a group that ends with an error leave no row, key, file or transaction of the history (TOOL-17)")
    func failedGroupLeavesNothing() throws {
        let stack = try Self.stack()
        try insert("first", stack, size: 200_000)
        #expect(throws: Stopped.self) {
            try together(stack) {
                try insert("second", stack, size: 200_000)
                try insert("third", stack)
                let inside = try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
                #expect(inside == 3)
                let outside = try names(stack)
                #expect(outside == ["first"])
                throw Stopped()
            }
        }
        stack.context.reset()
        let rows = try names(stack)
        #expect(rows == ["first"])
        #expect(largeFiles(stack) == 1)
        try insert("fourth", stack)
        let connection = try Connection.open(stack.url.path)
        defer { connection.close() }
        let keys = try connection.rows("SELECT Z_PK FROM ZITEM ORDER BY Z_PK").map { $0[0].integer }
        #expect(keys == [1, 2])
        let transactions = try connection.rows("SELECT Z_PK FROM ATRANSACTION ORDER BY Z_PK").map { $0[0].integer }
        #expect(transactions == [1, 2])
    }

    @Test("saves of a group are seen together, and files that they replaced go with its end (TOOL-17)")
    func groupIsSeenTogether() throws {
        let stack = try Self.stack()
        try insert("first", stack, size: 200_000)
        try together(stack) {
            for object in try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")) {
                object.setValue(Data(count: 300_000), forKey: "image")
            }
            try stack.context.save()
            // Until the group counts, the former value may be needed.
            #expect(largeFiles(stack) == 2)
            try insert("second", stack)
            let outside = try names(stack)
            #expect(outside == ["first"])
        }
        let rows = try names(stack)
        #expect(rows == ["first", "second"])
        #expect(largeFiles(stack) == 1)
    }
}
