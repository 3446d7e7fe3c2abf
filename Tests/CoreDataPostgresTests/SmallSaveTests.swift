import CoreData
import CoreDataPostgres
import Foundation
import PostgresKit
import StoreContract
import Synchronization
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// What saves of few objects, which write and commit in one round trip, may not leave out (`Docs/Decisions/0023`).
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct SmallSaveTests {
    /// What a save does with rows.
    enum Change: CaseIterable, Sendable {
        case update, deletion, lock
    }

    private static func stack(history: Bool, _ url: URL) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType, "number": .integer64AttributeType])
        builder.entity("Tag", ["name": .stringAttributeType])
        builder.relationships("Item.tags*", "Tag.items*")
        builder["Item"].uniquenessConstraints = [["number"]]
        return try Stack(
            builder.model, url: url, kind: .postgreSQL,
            options: history ? HistoryModel.options : [CoreDataPostgreSQLSilenceOption: 0.4])
    }

    private static func items(_ stack: Stack) throws -> [NSManagedObject] {
        try stack.context.all("Item").sorted { $0.number < $1.number }
    }

    @Test(
        "a save of few objects looks at every row that it changes, deletes or rests on, the first as the last (HAZ-61)",
        arguments: Change.allCases.flatMap { change in (0..<3).map { (change, $0) } }, [true, false])
    func staleRow(of save: (change: Change, place: Int), history: Bool) throws {
        let stack = try Self.stack(history: history, try PostgresServer.shared.get().makeURL("stale"))
        let items = (0..<3).map { stack.context.insert("Item", ["name": "mine", "number": $0]) }
        try stack.context.save()
        let other = try stack.another()
        try Self.items(other)[save.place].setValue("other", forKey: "name")
        try other.context.save()
        let before = history ? try other.context.transactions().count : 0
        for (number, item) in items.enumerated() {
            switch save.change {
            case .update:
                // Others are changed of each, so that each has a statement of its own.
                if number != 1 { item.setValue("changed", forKey: "name") }
                if number != 0 { item.setValue(10 + number, forKey: "number") }
            case .deletion: stack.context.delete(item)
            case .lock: stack.context.detectConflicts(for: item)
            }
        }
        stack.context.insert("Item", ["name": "new", "number": 7])
        let error = expectError(NSManagedObjectMergeError) { try stack.context.save() }
        let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(conflicts?.map { $0.sourceObject.objectID } == [items[save.place].objectID])
        let left = try stack.another()
        #expect(try Self.items(left).map(\.number) == [0, 1, 2])
        let names = (0..<3).map { $0 == save.place ? "other" : "mine" }
        #expect(try Self.items(left).map { $0.value(forKey: "name") as? String } == names)
        if history { #expect(try left.context.transactions().count == before) }
    }

    @Test(
        "a save of few objects whose answer is lost is known by its mark, and made once (HAZ-61)",
        arguments: [true, false])
    func lostAnswer(history: Bool) throws {
        let proxy = try FaultProxy(to: try PostgresServer.shared.get())
        defer { proxy.stop() }
        let stack = try Self.stack(history: history, proxy.url(schema: "small_lost_\(history)"))
        let item = stack.context.insert("Item", ["name": "first", "number": 1])
        try stack.context.save()
        func saveUnheard() throws {
            let hits = proxy.hits
            proxy.arm(.loseAnswer, at: 1)
            try stack.context.save()
            #expect(proxy.hits == hits + 1)
        }
        item.setValue("second", forKey: "name")
        try saveUnheard()
        stack.context.insert("Item", ["name": "new", "number": 2])
        try stack.context.obtainPermanentIDs(for: Array(stack.context.insertedObjects))
        try saveUnheard()
        stack.context.delete(item)
        try saveUnheard()
        let other = try stack.another()
        #expect(try Self.items(other).map(\.number) == [2])
        if history {
            #expect(
                try other.context.transactions().map(\.lines) == [
                    ["insert Item"], ["update Item.name"], ["insert Item"], ["delete Item"],
                ])
        }
        // The context knows what is in the store.
        try Self.items(stack)[0].setValue("third", forKey: "name")
        try stack.context.save()
    }

    @Test("links of a row go with it in a save of few objects, and others stay (HAZ-61)", arguments: [true, false])
    func linksOfDeletedRows(history: Bool) throws {
        let stack = try Self.stack(history: history, try PostgresServer.shared.get().makeURL("links"))
        let tags = (0..<2).map { stack.context.insert("Tag", ["name": "\($0)"]) }
        let items = (0..<2).map { stack.context.insert("Item", ["number": $0, "tags": NSSet(array: tags)]) }
        try stack.context.save()
        stack.context.delete(items[0])
        try stack.context.save()
        let other = try stack.another()
        // Nobody has the key of the row again, so what is left of it is seen in the table alone.
        let store = try #require(stack.store.objects as? PostgresStore)
        let pairs = try #require(store.shape.schema.store.tables.first { !$0.keyColumns.isEmpty })
        let left = try store.session.query("SELECT count(*) FROM \(store.shape.schema.table(pairs.name))")
        #expect(left.int64(0, 0) == 2)
        let counts = try other.context.all("Tag").map { ($0.value(forKey: "items") as? NSSet)?.count }
        #expect(counts == [1, 1])
        #expect((try Self.items(other).first?.value(forKey: "tags") as? NSSet)?.count == 2)
    }

    @Test("a save of one object writes changed metadata too (STO-06)", arguments: [true, false])
    func saveOfOneObjectWritesChangedMetadataToo(history: Bool) throws {
        let stack = try Self.stack(history: history, try PostgresServer.shared.get().makeURL("small_metadata"))
        stack.context.insert("Item", ["number": 1])
        try stack.context.save()
        var metadata = stack.coordinator.metadata(for: stack.store)
        metadata["mine"] = "kept"
        stack.coordinator.setMetadata(metadata, for: stack.store)
        stack.context.insert("Item", ["number": 2])
        try stack.context.save()
        let other = try stack.another()
        #expect(other.coordinator.metadata(for: other.store)["mine"] as? String == "kept")
        #expect(try Self.items(other).map(\.number) == [1, 2])
    }

    @Test(
        "small saves of a group are one transaction, a conflict within them is reported, an error reverts all (TOOL-17)"
    )
    func groupedSaves() throws {
        struct Stopped: Error {}
        let stack = try Self.stack(history: true, try PostgresServer.shared.get().makeURL("small_group"))
        stack.context.insert("Item", ["name": "mine", "number": 1])
        try stack.context.save()
        let other = try stack.another()
        func together(_ body: () throws -> Void) throws {
            let store = stack.store
            let grouping = try #require(store.objects?.saveGrouping)
            try store.serialized { try grouping.savingTogether(body) }
        }
        #expect(throws: Stopped.self) {
            try together {
                stack.context.insert("Item", ["number": 2])
                try stack.context.save()
                #expect(try Self.items(other).map(\.number) == [1])
                throw Stopped()
            }
        }
        stack.context.reset()
        let stale = try #require(try Self.items(stack).first)
        #expect(stale.number == 1)

        try Self.items(other)[0].setValue("other", forKey: "name")
        try other.context.save()
        let before = try other.context.transactions().count
        stale.setValue("stale", forKey: "name")
        try together {
            expectError(NSManagedObjectMergeError) { try stack.context.save() }
            stack.context.refresh(stale, mergeChanges: false)
            for number in [3, 4] {
                stack.context.insert("Item", ["number": number])
                try stack.context.save()
            }
        }
        let last = try stack.another()
        #expect(try Self.items(last).map(\.number) == [1, 3, 4])
        #expect(try last.context.transactions().count == before + 1)
    }

    @Test(
        "a save of few objects gives no token while a transaction is open that may precede it, and one afterwards (STO-06)"
    )
    func precededSave() throws {
        let stack = try Self.stack(history: true, try PostgresServer.shared.get().makeURL("preceded"))
        let tokens = Mutex<[NSPersistentHistoryToken?]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: stack.context, queue: nil
        ) { notification in
            let token = notification.userInfo?["newChangeToken"] as? NSPersistentHistoryToken
            tokens.withLock { $0.append(token) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let holder = try PostgresConnection.open(try PostgresLocation(stack.url).parameters, timeout: .seconds(20))
        defer { holder.close() }
        _ = try holder.pipeline([PostgresStatement("BEGIN"), PostgresStatement("SELECT pg_current_xact_id()::text")])
        stack.context.insert("Item", ["name": "preceded", "number": 1])
        try stack.context.save()
        #expect(tokens.withLock { $0 } == [nil])
        _ = try holder.query("COMMIT")
        // Transactions of others may be open.
        eventually("a save that tells its token") {
            stack.context.insert("Tag", ["name": "later"])
            try? stack.context.save()
            return tokens.withLock { $0.last ?? nil } != nil
        }
    }
}

extension NSManagedObject {
    fileprivate var number: Int { value(forKey: "number") as? Int ?? -1 }
}
