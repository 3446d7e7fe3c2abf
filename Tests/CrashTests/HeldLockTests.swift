import CoreData
import StoreContract
import TestBasics
import Testing
import WriteScenarios

@Suite("A store with history of which another process holds the lock", .timeLimit(.minutes(5)))
struct HeldLockTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Held.sqlite")
        let stack = try Stack(AuthoredEntries.make(), url: url, options: AuthoredEntries.options)
        AuthoredEntries.add(1, by: "own", to: stack.context)
        try stack.context.save()
    }

    private func stack(waiting seconds: Double) throws -> Stack {
        let options = AuthoredEntries.options.merging(
            [NSPersistentStoreTimeoutOption: seconds, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
        ) { $1 }
        return try Stack(AuthoredEntries.make(), url: url, options: options)
    }

    private func holder() throws -> Child {
        let holder = try Child("hold", url.path)
        try #require(holder.line() == "held")
        return holder
    }

    private func transactions(_ stack: Stack) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try stack.context.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    /// Nobody here may wait at all, so that whatever needs the lock fails at once.
    @Test(
        "opening, fetching, faulting and reading history do not wait for another process's transaction (CTX-34, HAZ-33)"
    )
    func readersDoNotWait() throws {
        let open = try stack(waiting: 0)
        let holder = try holder()
        for stack in [open, try stack(waiting: 0)] {
            let entries = try stack.context.all("Entry", sortedBy: "part")
            #expect(entries.map { $0.value(forKey: "part") as? Int } == [0, 1, 2])
            stack.context.refreshAllObjects()
            #expect(entries.map { $0.value(forKey: "number") as? Int } == [1, 1, 1])
            #expect(try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Entry")) == 3)
            #expect(try transactions(stack).map { $0.changes?.count } == [3])
            let token = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
            #expect(token.numbers.values.map { $0 } == [1])
            AuthoredEntries.add(2, by: "own", to: stack.context)
            let error = try #require(throws: (any Error).self) { try stack.context.save() } as NSError
            #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreTimeoutError)
        }
        holder.kill()
        try open.context.save()
        #expect(try transactions(open).map { $0.changes?.count } == [3, 3])
    }

    @Test("writers wait for another process's transaction and then all save (CTX-34, HAZ-33)")
    func writersQueue() throws {
        let holder = try holder()
        let writers = try (1...3).map { try Child("write", url.path, "writer \($0)", "4") }
        // Each is waiting by then, or is being started: none may save.
        for writer in writers { #expect(writer.line(within: 300) == nil) }
        holder.kill()
        for writer in writers {
            #expect(writer.lines() == ["1", "2", "3", "4"])
            #expect(writer.status() == 0)
        }
        let stack = try stack(waiting: 10)
        let found = try transactions(stack)
        #expect(found.map(\.transactionNumber) == Array(1...13))
        for number in 1...3 { #expect(found.count { $0.author == "writer \(number)" } == 4) }
    }

    @Test("a save that waits in vain is refused, records nothing, and is saved when it is tried again (CTX-34, HAZ-33)")
    func saveWaitsInVain() throws {
        let stack = try stack(waiting: 0.2)
        let holder = try holder()
        AuthoredEntries.add(2, by: "own", to: stack.context)
        for _ in 1...2 {
            let error = try #require(throws: (any Error).self) { try stack.context.save() } as NSError
            #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreTimeoutError)
            #expect(stack.context.insertedObjects.count == AuthoredEntries.parts)
        }
        #expect(try transactions(stack).count == 1)
        holder.kill()
        try stack.context.save()
        #expect(try transactions(stack).map(\.transactionNumber) == [1, 2])
        #expect(try stack.context.all("Entry").count == 2 * AuthoredEntries.parts)
    }
}
