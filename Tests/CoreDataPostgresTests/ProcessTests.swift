import CoreData
import CoreDataPostgres
import Foundation
import StoreContract
import TestBasics
import TestServers
import Testing
import WriteScenarios

/// Several processes that save to one store at once, with conflicts.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(60)))
struct ProcessTests {
    /// Reads the history on from where it was last read, as somebody does who follows it.
    private struct Follower {
        let stack: Stack
        var token: NSPersistentHistoryToken?
        var numbers: [Int64] = []
        var authors: [String: Int] = [:]

        mutating func read() throws {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            request.resultType = .transactionsOnly
            let context = stack.newContext()
            let result = try context.performAndWait { try context.execute(request) as? NSPersistentHistoryResult }
            for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
                numbers.append(transaction.transactionNumber)
                authors[transaction.author ?? "", default: 0] += 1
                token = transaction.token
            }
        }
    }

    @Test("saves of several processes with conflicts are all there, and each once in the history, in order")
    func conflictingProcesses() throws {
        let (processes, saves) = TestSeed.isExhaustive ? (16, 2_000) : (4, 25)
        let stack = try Stack(
            SharedRows.make(), url: try PostgresServer.shared.get().makeURL("processes"), kind: .postgreSQL,
            options: [NSPersistentHistoryTrackingKey: true])
        stack.context.transactionAuthor = "test"
        for number in 0...processes { stack.context.insert("Row", ["number": number, "count": 0]) }
        try stack.context.save()
        let start = ContinuousClock.now
        let children = try (1...processes).map {
            try Child(["count", stack.url.absoluteString, "\($0)", "\(saves)"], of: Child.url("ServerChild"))
        }
        var follower = Follower(stack: stack)
        var conflicts = 0
        for child in children {
            while true {
                try follower.read()
                switch child.word(within: 50) {
                case .silence: continue
                case .line(let line): conflicts += try #require(Int(line), "\(line)")
                case .end: break
                }
                break
            }
            #expect(child.status() == 0)
        }
        try follower.read()
        stack.context.reset()
        #expect(try SharedRows.count(SharedRows.row(SharedRows.shared, stack.context)) == processes * saves)
        for number in 1...processes {
            #expect(try SharedRows.count(SharedRows.row(number, stack.context)) == saves)
            #expect(follower.authors["\(number)"] == saves)
        }
        #expect(follower.numbers.count == processes * saves + 1)
        #expect(zip(follower.numbers, follower.numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(conflicts > 0)
        print(
            "\(processes) processes, \(saves) saves each, \(conflicts) conflicts, \(follower.numbers.count) transactions in "
                + "order, \(ContinuousClock.now - start)")
    }
}
