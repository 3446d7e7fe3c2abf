import CoreData
import StoreContract
import TestBasics
import TestServers
import Testing

/// Copies that take the persistent history along.
@Suite struct HistoryCopyTests {
    private static let servers = PostgresServer.isAvailable ? ["postgresql"] : []
    private static let pairs =
        servers.map { ["sqlite", $0] } + servers.map { [$0, "sqlite"] } + servers.map { [$0, $0] }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func place(_ kind: String, _ name: String) throws -> URL {
        guard kind == "postgresql" else { return folder.url.appendingPathComponent("\(name).sqlite") }
        return try PostgresServer.shared.get().makeURL(name)
    }

    private func open(_ url: URL) throws -> Stack {
        try Stack(
            HistoryModel.make(), url: url, kind: url.isFileURL ? .sqlite : .postgreSQL, options: HistoryModel.options)
    }

    private static func place(_ url: URL) -> String { url.isFileURL ? url.path : url.absoluteString }

    /// All that a history says, but for its numbers.
    private static func told(_ stack: Stack) throws -> [String] {
        try stack.newContext().transactions().map { transaction in
            let changes = (transaction.changes ?? []).map { change in
                let kept = change.tombstone.map { values in
                    " " + values.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "+")
                }
                return "\(change.line) \(change.changedObjectID.uriRepresentation().lastPathComponent)\(kept ?? "")"
            }
            let source = [transaction.author, transaction.contextName, transaction.bundleID, transaction.processID]
            return "\(transaction.timestamp.timeIntervalSinceReferenceDate) \(source): "
                + changes.joined(separator: ", ")
        }
    }

    @Test(
        "a copy with its history has every transaction and change as it was, and goes on behind them (STO-06, CTX-34)",
        .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), arguments: pairs, [false, true])
    func copyWithItsHistoryHasEveryTransactionAndChange(kinds: [String], isPurged: Bool) throws {
        let source = try open(place(kinds[0], "told"))
        defer { withExtendedLifetime(source) {} }
        source.context.name = "editor é\u{0}"
        let born = Date(timeIntervalSinceReferenceDate: -1.5)
        let person = source.context.insert("Pilot", ["name": "kept\u{0}", "code": UUID(), "born": born])
        try source.context.save(as: "author\u{0}ß")
        source.context.delete(person)
        try source.context.save(as: nil)
        print("seed of the saves: \(TestSeed.first)")
        var run = HistoryRun(source, seed: TestSeed.first)
        // More than are copied at a time.
        _ = try run.run(saves: 620)
        let all = try source.newContext().transactions()
        if isPurged { try source.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: all[7])) }
        let former = try source.context.currentToken()
        let expected = try Self.told(source)
        let target = try place(kinds[1], "copy")
        let outcome = try Tool.run("copy", Self.place(source.url), Self.place(target), "--history")
        #expect(outcome.code == 0 && outcome.errors.contains("tokens of the store's history are void"))
        let copy = try open(target)
        let found = try Self.told(copy)
        let difference = zip(found, expected).first { $0 != $1 }
        #expect(found.count == expected.count && difference == nil, "\(String(describing: difference))")
        let transactions = try copy.newContext().transactions()
        #expect(
            transactions.map(\.transactionNumber) == (0..<transactions.count).map { Int64($0 + (isPurged ? 2 : 1)) })
        // Tokens of the copy are good, and others are not.
        let token = try copy.context.currentToken()
        #expect(token == transactions.last?.token)
        #expect(throws: NSError.self) { try copy.context.transactions(after: former) }
        #expect(try copy.context.transactions(after: transactions[3].token).count == transactions.count - 4)
        copy.context.insert("Team", ["name": "later"])
        try copy.context.save(as: "later")
        let later = try copy.newContext().transactions(after: token)
        #expect(later.map(\.author) == ["later"] && later.first?.lines.count == 1)
        #expect(try #require(later.first).transactionNumber > #require(transactions.last).transactionNumber)
        let again = try open(target)
        #expect(try Self.told(again).count == expected.count + 1)
    }

    @Test(
        "what a copy without the history loses is said, of files and of servers (STO-06)",
        .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), arguments: pairs)
    func whatCopyWithoutHistoryLosesIsSaid(kinds: [String]) throws {
        let source = try open(place(kinds[0], "lost"))
        defer { withExtendedLifetime(source) {} }
        source.context.insert("Person", ["name": "one"])
        try source.context.save(as: "one")
        let target = try place(kinds[1], "without")
        let outcome = try Tool.run("copy", Self.place(source.url), Self.place(target))
        #expect(outcome.code == 0 && outcome.errors.contains("The persistent history is not copied"))
        #expect(outcome.errors.contains("--history takes it along"), "\(outcome.errors)")
        #expect(try Self.told(open(target)).isEmpty)
    }

    @Test("a history goes only where one is kept, and from a store that has one (STO-06)")
    func historyGoesOnlyWhereOneIsKept() throws {
        let source = try open(place("sqlite", "asked"))
        defer { withExtendedLifetime(source) {} }
        source.context.insert("Person", ["name": "one"])
        try source.context.save(as: "one")
        let file = folder.url.appendingPathComponent("copy.xml").path
        let refused = try Tool.run("copy", source.url.path, file, "--history")
        expectRefusal(refused, containing: "a store of type XML keeps none", "--history")
        #expect(!FileManager.default.fileExists(atPath: file))
        guard PostgresServer.isAvailable else { return }
        let bare = try Stack(HistoryModel.make(), url: place("sqlite", "bare"))
        let without = try Tool.run("copy", bare.url.path, Self.place(place("postgresql", "bare")), "--history")
        expectRefusal(without, containing: "has no persistent history")
    }
}
