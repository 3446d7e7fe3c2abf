import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing
import WriteScenarios

@Suite("Two processes at one store", .timeLimit(.minutes(20)))
struct TwoProcessTests {
    private let url: URL

    init() throws { url = try Fixtures.temporaryFolder().appendingPathComponent("Rows.sqlite") }

    /// The shared row's count as another coordinator reads it.
    private func storedCount() throws -> Int {
        let stack = try Stack(SharedRows.make(), url: url)
        return SharedRows.count(try SharedRows.row(SharedRows.shared, stack.context))
    }

    private func makeStore(rows: Int) throws -> Stack {
        let stack = try Stack(SharedRows.make(), url: url)
        for number in 0..<rows { stack.context.insert("Row", ["number": number, "count": 0]) }
        try stack.context.save()
        return stack
    }

    @Test("two processes save a hundred times each; nothing is lost, conflicts can be repaired (HAZ-33)")
    func nothingIsLost() throws {
        let stack = try makeStore(rows: 3)
        let children = try [1, 2].map { try Child("count", url.path, "\($0)", "100") }
        let conflicts = children.map { $0.lines() }
        for (child, lines) in zip(children, conflicts) {
            #expect(child.status() == 0, "\(lines)")
            #expect(lines.count == 1)
        }
        stack.context.refreshAllObjects()
        let counts = try (0...2).map { SharedRows.count(try SharedRows.row($0, stack.context)) }
        #expect(counts == [200, 100, 100])
        #expect(try Connection.open(url.path).integrityFaults() == [])
        print("conflicts met: \(conflicts.joined().joined(separator: ", "))")
    }

    @Test("a change on top of an outdated row is the error 133020, which a refresh repairs (HAZ-33)")
    func conflictIsRepaired() throws {
        let stack = try makeStore(rows: 2)
        let row = try SharedRows.row(0, stack.context)
        #expect(SharedRows.count(row) == 0)
        let child = try Child("count", url.path, "1", "3")
        #expect(child.lines() == ["0"])
        row.setValue(50, forKey: "count")
        let error = try #require(throws: (any Error).self) { try stack.context.save() } as NSError
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == NSManagedObjectMergeError)
        #expect(SharedRows.count(row) == 50)
        stack.context.refresh(row, mergeChanges: false)
        #expect(SharedRows.count(row) == 3)
        row.setValue(4, forKey: "count")
        try stack.context.save()
        #expect(try storedCount() == 4)
    }

    @Test("while a process holds the lock a save waits and is refused; when the holder is killed it goes on (HAZ-33)")
    func lockHolderIsKilled() throws {
        let stack = try makeStore(rows: 1)
        let holder = try Child("hold", url.path)
        #expect(holder.line() == "held")
        let row = try SharedRows.row(0, stack.context)
        row.setValue(7, forKey: "count")
        let start = ContinuousClock.now
        let error = try #require(throws: (any Error).self) { try stack.context.save() } as NSError
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == NSPersistentStoreTimeoutError)
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(stack.context.hasChanges)
        #expect(SharedRows.count(row) == 7)
        holder.kill()
        try stack.context.save()
        #expect(try storedCount() == 7)
    }

    @Test("a save that waits goes on as soon as the lock's holder is killed (HAZ-33)")
    func waitingSaveGoesOn() throws {
        _ = try makeStore(rows: 1)
        let holder = try Child("hold", url.path)
        #expect(holder.line() == "held")
        let waiting = try Child("count", url.path, "0", "5")
        #expect(waiting.line(within: 1_000) == nil)
        holder.kill()
        #expect(waiting.line() == "0")
        #expect(waiting.status() == 0)
        // Its own row and the shared one are the same here.
        #expect(try storedCount() == 10)
    }
}
