import CoreData
import CoreDataPostgres
import StoreContract
import TestBasics
import TestServers
import Testing

/// What a store on a server records, and what is read and deleted of it.
@Suite("History on a server", .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct HistoryTests {
    static func stack(_ name: String = "history") throws -> Stack {
        let url = try PostgresServer.shared.get().makeURL(name)
        return try Stack(HistoryModel.make(), url: url, kind: .postgreSQL, options: HistoryModel.options)
    }

    private typealias Request = NSPersistentHistoryChangeRequest

    private func authors(_ context: NSManagedObjectContext, _ request: Request) throws -> [String] {
        try context.history(request, as: [NSPersistentHistoryTransaction].self).map { $0.author ?? "nil" }
    }

    @Test("random saves leave the same history as in memory (STO-06)")
    func randomSaves() throws {
        for seed in 1...12 as ClosedRange<UInt64> {
            var server = HistoryRun(try Self.stack(), seed: seed)
            var memory = HistoryRun(try HistoryModel.stack(.inMemory), seed: seed)
            let (found, expected) = (try server.run(saves: 25), try memory.run(saves: 25))
            let first = zip(found, expected).first { $0 != $1 }
            let told = first.map { "\non the server: \($0)\nin memory: \($1)" } ?? ""
            #expect(told.isEmpty && found.count == expected.count, "seed \(seed)\(told)")
        }
    }

    @Test("history is read after a token, a transaction, a date, and deleted before them (CTX-34)")
    func historyIsReadAfterToken() throws {
        let stack = try Self.stack()
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        context.name = "editor\u{0}"
        for name in ["one", "two", "three"] {
            context.insert("Person", ["name": name])
            try context.save(as: name)
        }
        let all = try context.transactions()
        #expect(all.map(\.author) == ["one", "two", "three"] && all.allSatisfy { $0.contextName == "editor\u{0}" })
        #expect(try authors(context, Request.fetchHistory(after: all[0].token)) == ["two", "three"])
        #expect(try authors(context, Request.fetchHistory(after: all[1])) == ["three"])
        #expect(try authors(context, Request.fetchHistory(after: all[0].timestamp)) == ["two", "three"])
        #expect(try context.transactions(where: "author == %@", "two").count == 1)
        #expect(try context.transactions(where: "TRUEPREDICATE", limit: 2).map(\.author) == ["one", "two"])
        #expect(try context.currentToken() == all[2].token)
        try context.execute(Request.deleteHistory(before: all[2].token))
        #expect(try context.transactions().map(\.author) == ["three"])
        #expect(try context.transactions(after: all[1].token).map(\.author) == ["three"])
        let error = expectError(NSPersistentHistoryTokenExpiredError) { try context.transactions(after: all[0].token) }
        #expect(error?.localizedRecoverySuggestion?.contains("currentPersistentHistoryToken") == true)
        try context.execute(Request.deleteHistory(before: .distantFuture))
        #expect(try context.transactions().isEmpty && context.currentToken() == all[2].token)
    }

    @Test(
        "a store whose history has transactions is read-only without it, and written again once they are deleted (CTX-34)"
    )
    func storeWhoseHistoryHasTransactionsIsRead() throws {
        let stack = try Self.stack()
        stack.context.insert("Person", ["name": "one"])
        try stack.context.save(as: "one")
        let bare = try Stack(HistoryModel.make(), url: stack.url, kind: .postgreSQL)
        #expect(bare.coordinator.persistentStores.first?.isReadOnly == true)
        bare.context.insert("Person", ["name": "two"])
        let error = expectError(NSPersistentStoreSaveError) { try bare.context.save() }
        #expect(error?.description.contains("NSPersistentHistoryTrackingKey") == true, "\(String(describing: error))")
        try stack.context.execute(Request.deleteHistory(before: .distantFuture))
        let again = try Stack(HistoryModel.make(), url: stack.url, kind: .postgreSQL)
        again.context.insert("Person", ["name": "three"])
        try again.context.save()
        #expect(try again.another().context.all("Person").count == 2)
    }

    @Test("Deletions keep the values that the model marks, and a history of thousands of changes is read whole")
    func deletionsKeepValuesThatModelMarks() throws {
        let stack = try Self.stack()
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let code = UUID()
        let people = (0..<5_000).map { context.insert("Pilot", ["name": "p\($0)\u{0}", "code": code]) }
        try context.save()
        people.forEach(context.delete)
        try context.save()
        let transactions = try context.transactions()
        #expect(transactions.map { $0.changes?.count } == [5_000, 5_000])
        let names = Set(transactions[1].changes?.compactMap { $0.tombstone?["name"] as? String } ?? [])
        #expect(names == Set((0..<5_000).map { "p\($0)\u{0}" }))
        #expect(transactions[1].changes?.allSatisfy { $0.tombstone?["code"] as? UUID == code } == true)
    }

    @Test("Two coordinators see each other's transactions, and a history outlives its coordinator")
    func otherCoordinator() throws {
        let here = try Self.stack()
        here.context.insert("Person", ["name": "Ann"])
        try here.context.save(as: "here")
        let token = try here.context.currentToken()
        let there = try here.another()
        try there.context.all("Person").first?.setValue("Anne", forKey: "name")
        try there.context.save(as: "there")
        let transactions = try here.context.transactions(after: token)
        #expect(transactions.map(\.author) == ["there"])
        #expect(transactions.first?.lines == ["update Person.name"])
        let again = try here.reopened()
        #expect(try again.context.transactions().map(\.author) == ["here", "there"])
    }
}
