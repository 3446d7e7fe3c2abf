import CoreData
import SQLiteKit
import TestBasics
import Testing

@testable import CoreDataSQLite

@Suite(
    "History that Apple's framework wrote, read and gone on with",
    .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct HistoryTests {
    /// A store of Apple's with 939 transactions, of which the first hundred have been deleted.
    private func agent(_ options: [AnyHashable: Any] = [:]) throws -> OpenStore {
        let url = try Fixtures.copyOfStore("stores/plaso-testdata/test_data/ios/RMAdminStore-Local.sqlite")
        let model = try #require(try StoreFile.cachedModel(at: url))
        return try OpenStore(
            url, model: model, options.merging([NSPersistentHistoryTrackingKey: true]) { given, _ in given })
    }

    private struct Contents {
        var transactions: [HistoryTransaction] = []
        var changes: [HistoryChange] = []
    }

    private func contents(_ open: OpenStore, after number: Int64 = 0) throws -> Contents {
        var contents = Contents()
        try #require(open.store.objects?.history).readHistory(HistoryQuery(after: .number(number))) {
            contents.transactions.append($0)
            return .changes
        } change: {
            contents.changes.append($0)
        }
        return contents
    }

    @Test("every transaction and change of a store is read, with names, changed properties and kept values (CTX-34)")
    func everythingIsRead() throws {
        let open = try agent()
        let history = try #require(open.store.objects?.history)
        #expect(try history.historyExtent() == HistoryExtent(oldest: 101, newest: 1039))
        let contents = try contents(open)
        #expect(contents.transactions.map(\.number) == Array(101...1039))
        #expect(contents.changes.map(\.id) == Array(789...20717))
        #expect(
            Dictionary(grouping: contents.changes, by: \.kind).mapValues(\.count)
                == [.insert: 9_897, .update: 2_816, .delete: 7_216])
        #expect(contents.transactions.allSatisfy { $0.processID != nil && $0.bundleID != nil })
        #expect(contents.transactions.filter { $0.author == "STUnique" }.count == 2)
        #expect(contents.transactions.filter { $0.contextName == "STPersistLocalAppsOperation" }.count == 43)
        let updates = contents.changes.filter { $0.kind == .update }
        #expect(updates.allSatisfy { $0.properties?.isEmpty == false })
        let kept = contents.changes.filter { $0.kind == .delete && $0.tombstone.contains { $0.tag != RowTag.null } }
        #expect(kept.count == 74 && kept.allSatisfy { $0.address?.binding.layout.entity.name == "InstalledApp" })
    }

    /// Which process asks and which answers is known of this store; it tells the order of the bits.
    @Test("changed properties are those that each process is known to change")
    func propertiesAreThoseOfTheProcess() throws {
        let open = try agent()
        var process: String?
        var changed: [String: Set<String>] = [:]
        var count = 0
        try #require(open.store.objects?.history).readHistory(HistoryQuery()) {
            process = $0.processID
            return .changes
        } change: { change in
            guard let layout = change.address?.binding.layout, layout.entity.name == "UsageRequest",
                let properties = change.properties
            else { return }
            count += 1
            changed[process ?? "", default: []].formUnion(HistoryProperties(layout).names(of: properties))
        }
        #expect(count == 428)
        #expect(
            changed == ["ScreenTimeWidgetExtension": ["requestedDate"], "ScreenTimeAgent": ["acknowledgedDate"]])
    }

    @Test("a save goes on where Apple's framework left off, and leaves what it wrote as it is")
    func saveGoesOn() throws {
        let open = try agent()
        let connection = try Connection.open(open.url.path)
        defer { connection.close() }
        let before = try connection.rows("SELECT * FROM ACHANGE ORDER BY Z_PK")
        let strings = try connection.rows("SELECT * FROM ATRANSACTIONSTRING ORDER BY Z_PK")
        open.context.transactionAuthor = "STUnique"
        let app = try #require(try open.fetch("InstalledApp").first)
        let name = try #require(app.value(forKey: "bundleIdentifier") as? String)
        app.setValue("com.example." + name, forKey: "bundleIdentifier")
        try open.context.save()
        open.context.delete(app)
        try open.context.save()
        let added = try contents(open, after: 1039)
        #expect(added.transactions.map(\.number) == [1040, 1041])
        #expect(added.transactions.map(\.author) == ["STUnique", "STUnique"])
        let update = try #require(added.changes.first { $0.kind == .update })
        let properties = HistoryProperties(try #require(update.address?.binding.layout))
        #expect(update.properties.map(properties.names) == ["bundleIdentifier"])
        let deletion = try #require(added.changes.first { $0.kind == .delete })
        #expect(deletion.tombstone.first.map { String(decoding: $0.bytes, as: UTF8.self) } == "com.example." + name)
        #expect(try connection.rows("SELECT * FROM ACHANGE WHERE Z_PK <= 20717 ORDER BY Z_PK") == before)
        // The author's key is the one that it had.
        #expect(try connection.rows("SELECT * FROM ATRANSACTIONSTRING WHERE Z_PK <= 175 ORDER BY Z_PK") == strings)
        #expect(try connection.value("SELECT min(Z_PK) FROM ATRANSACTIONSTRING WHERE Z_PK > 19")?.integer == 176)
        #expect(try connection.integrityFaults() == [])
    }

    @Test(
        "Apple's own transactions are refused by name where old values are asked for, later ones are reverted (CTX-34)")
    func onlyOwnTransactionsAreReverted() throws {
        let open = try agent([CoreDataHistoryKeepsOldValuesOption: true])
        let coordinator = try #require(open.context.persistentStoreCoordinator)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(
            after: NSPersistentHistoryToken([open.store.identifier: 1_037]))
        let answer = try open.context.execute(request) as? NSPersistentHistoryResult
        let transactions = try #require(answer?.result as? [NSPersistentHistoryTransaction])
        for attempt in [
            { try open.context.revert(transactions[1]) },
            { _ = try coordinator.queryGeneration(asOf: transactions[0].token) },
        ] {
            let error = #expect(throws: NSError.self) { try attempt() }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
            #expect(error?.localizedDescription.contains("Transaction 1039") == true)
        }
        let start = try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
        let before = try everything(open.context)
        for app in try open.fetch("InstalledApp").prefix(20) { open.context.delete(app) }
        try open.context.save()
        #expect(try everything(open.context) != before)
        let past = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        past.persistentStoreCoordinator = coordinator
        try past.performAndWait {
            try past.setQueryGenerationFrom(try coordinator.queryGeneration(asOf: start))
            #expect(try everything(past) == before)
        }
        let own = try open.context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: start))
        let transaction = try #require(
            ((own as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction])?.first)
        try open.context.revert(transaction)
        try open.context.save()
        #expect(try everything(open.context) == before)
    }

    /// All objects with their attributes, without their keys.
    private func everything(_ context: NSManagedObjectContext) throws -> [String] {
        let entities = context.persistentStoreCoordinator?.managedObjectModel.entities ?? []
        return try entities.filter { $0.superentity == nil }.flatMap { entity in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            return try context.fetch(request).map { object in
                let values = object.entity.attributesByName.keys.sorted().map {
                    "\($0): \(object.value(forKey: $0) ?? "nil")"
                }
                return "\(object.entity.name ?? "") \(values)"
            }
        }.sorted()
    }

    @Test("a store of a newer framework goes on in its tables, which have no columns for kept values")
    func newerStoreGoesOn() throws {
        let open = try FixtureStore.named("SampleModel2_V2.sqlite").openForWriting()
        let schema = try Connection.open(open.url.path).rows("SELECT sql FROM sqlite_master WHERE name LIKE 'A%'")
        let object = try #require(try open.fetch("Book").first)
        open.context.delete(object)
        try open.context.save()
        let added = try contents(open, after: 1)
        #expect(added.transactions.count == 1 && added.changes.contains { $0.kind == .delete })
        #expect(try Connection.open(open.url.path).rows("SELECT sql FROM sqlite_master WHERE name LIKE 'A%'") == schema)
    }
}
