import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing
import WriteScenarios

/// Processes that save to one store with history at once, some of which are killed and started again.
struct HistoryWriters: CustomStringConvertible {
    private let url: URL
    private let stack: Stack
    private let connection: Connection
    private let goal: Int
    private let seed: UInt64
    private var random: SeededRandom
    private var children: [Child] = []
    /// The last entry of each author that a child has acknowledged, or that was found in the store after its end.
    private var known: [Int]
    /// Processes that were killed.
    private(set) var kills = 0
    /// Kills after which the store had one entry more than was acknowledged.
    private(set) var unacknowledged = 0

    var description: String { "seed \(seed), \(goal) saves each, known \(known), kills \(kills)" }

    init(_ count: Int, saves goal: Int, seed: UInt64) throws {
        (self.goal, self.seed) = (goal, seed)
        random = SeededRandom(seed: seed)
        url = try Fixtures.temporaryFolder().appendingPathComponent("Entries.sqlite")
        stack = try Stack(AuthoredEntries.make(), url: url, options: AuthoredEntries.options)
        connection = try Connection.open(url.path)
        known = Array(repeating: 0, count: count)
        for number in 0..<count { children.append(try child(number)) }
    }

    private func author(_ number: Int) -> String { "writer \(number)" }

    private func child(_ number: Int) throws -> Child {
        try Child("write", url.path, author(number), "\(goal)")
    }

    /// Kills one of the processes after some acknowledged saves, looks at what it left, and starts it again.
    mutating func killOne(afterAtMost saves: Int) throws {
        let unfinished = known.indices.filter { known[$0] < goal }
        guard !unfinished.isEmpty else { return }
        let number = unfinished[random.next(below: unfinished.count)]
        for _ in 0..<random.next(below: saves) { try take(children[number].line(), from: number) }
        usleep(UInt32(random.next(below: 8_000)))
        children[number].kill()
        if children[number].status() == -Int(SIGKILL) { kills += 1 }
        for line in children[number].lines() { try take(line, from: number) }
        let stored = try storedCount(number)
        try #require([known[number], known[number] + 1].contains(stored), "writer \(number) has \(stored); \(self)")
        if stored > known[number] { unacknowledged += 1 }
        known[number] = stored
        children[number] = try child(number)
    }

    /// Waits until every process has saved all that it should.
    mutating func finish() throws {
        for number in children.indices {
            for line in children[number].lines() { try take(line, from: number) }
            #expect(children[number].status() == 0, "\(self)")
        }
        #expect(known.allSatisfy { $0 == goal }, "\(self)")
    }

    /// The children acknowledge one entry after another.
    private mutating func take(_ line: String?, from number: Int) throws {
        guard let line else { return }
        let acknowledged = try #require(Int(line), "writer \(number) says '\(line)'; \(self)")
        #expect(acknowledged == known[number] + 1, "writer \(number); \(self)")
        known[number] = acknowledged
    }

    private func storedCount(_ number: Int) throws -> Int {
        let count = try connection.value("SELECT ZCOUNT FROM ZAUTHOR WHERE ZNAME = ?", [.text(author(number))])
        return count?.integer.map(Int.init) ?? 0
    }

    // MARK: What is there in the end

    /// Compares the rows with what was acknowledged, and the history with the rows.
    func expectAllIsThereOnce() throws {
        #expect(try connection.integrityFaults() == [], "\(self)")
        let rows = try connection.rows("SELECT Z_PK, ZAUTHOR, ZNUMBER, ZPART FROM ZENTRY")
        var parts: [Int64: Part] = [:]
        for row in rows {
            guard let key = row[0].integer, let author = row[1].text, let number = row[2].integer,
                let part = row[3].integer
            else {
                Issue.record("a row without values: \(row); \(self)")
                continue
            }
            parts[key] = Part(author: author, number: number, part: part)
        }
        #expect(Set(parts.values) == allParts && rows.count == allParts.count, "\(self)")
        let greatest = try connection.rows(
            "SELECT Z_MAX >= (SELECT max(Z_PK) FROM ZENTRY) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Entry'")
        #expect(greatest == [[.integer(1)]], "\(self)")
        try expectHistory(of: parts)
    }

    private struct Part: Hashable {
        let author: String
        let number: Int64
        let part: Int64
    }

    private var allParts: Set<Part> {
        Set(
            known.indices.flatMap { writer in
                (1...goal).flatMap { number in
                    (0..<AuthoredEntries.parts).map {
                        Part(author: author(writer), number: Int64(number), part: Int64($0))
                    }
                }
            })
    }

    /// Each save is one transaction of its author: all parts of one entry, and the author's row.
    private func expectHistory(of parts: [Int64: Part]) throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try stack.context.execute(request) as? NSPersistentHistoryResult
        let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
        #expect(transactions.map(\.transactionNumber) == (1...Int64(known.count * goal)).map { $0 }, "\(self)")
        var last: [String: Int64] = [:]
        var faults: [String] = []
        for transaction in transactions {
            let author = transaction.author ?? "nobody"
            let number = last[author, default: 0] + 1
            last[author] = number
            let expected = (0..<AuthoredEntries.parts).map { Part(author: author, number: number, part: Int64($0)) }
            if !isSave(transaction, of: Set(expected), parts) {
                faults.append("\(transaction.transactionNumber) by \(author) is not the save of entry \(number)")
            }
        }
        #expect(faults.prefix(10) == [], "\(faults.count) in all; \(self)")
        #expect(last == Dictionary(uniqueKeysWithValues: known.indices.map { (author($0), Int64(goal)) }), "\(self)")
    }

    private func isSave(
        _ transaction: NSPersistentHistoryTransaction, of expected: Set<Part>, _ parts: [Int64: Part]
    ) -> Bool {
        let changes = transaction.changes ?? []
        let entries = changes.filter { $0.changedObjectID.entity.name == "Entry" }
        let authors = changes.filter { $0.changedObjectID.entity.name == "Author" }
        let keys = entries.compactMap { Int64($0.changedObjectID.uriRepresentation().lastPathComponent.dropFirst()) }
        let isFirst = expected.contains { $0.number == 1 }
        return changes.count == expected.count + 1 && entries.allSatisfy { $0.changeType == .insert }
            && Set(keys.compactMap { parts[$0] }) == expected && authors.count == 1
            && authors[0].changeType == (isFirst ? .insert : .update)
            && (isFirst || authors[0].updatedProperties?.map(\.name) == ["count"])
    }
}
