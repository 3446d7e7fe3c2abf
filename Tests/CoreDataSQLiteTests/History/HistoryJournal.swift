import CoreData
import TestBasics
import Testing

@testable import CoreDataGraph
@testable import CoreDataSQLite

/// A random sequence of saves, batch requests, reverts, purges, limits and readings with tokens, beside a plain list of the
/// transactions that there should be.
struct HistoryJournal {
    /// A transaction as the list has it.
    private struct Entry {
        let number: Int64
        let time: Double
        /// As `HistoryReference` tells them.
        let changes: [String]
    }

    /// A place that a reader has kept, as itself or in an archive.
    private enum KeptToken {
        case token(NSPersistentHistoryToken, Int64)
        case archive(Data, Int64)

        var number: Int64 {
            switch self {
            case .token(_, let number), .archive(_, let number): number
            }
        }

        func token() throws -> NSPersistentHistoryToken {
            switch self {
            case .token(let token, _): return token
            case .archive(let data, _):
                let type = NSPersistentHistoryToken.self
                return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data))
            }
        }
    }

    private var run: HistoryRun
    private var random: SeededRandom
    private let options: [AnyHashable: Any]
    private var entries: [Entry] = []
    /// The greatest number that was purged; 0 before the first purge.
    private var purged: Int64 = 0
    private var tokens: [KeptToken] = []
    /// Transactions that somebody holds, whether they are still in the history or not.
    private var held: [NSPersistentHistoryTransaction] = []
    private var positions: [String: Int64] = [:]
    private var (clock, comment) = (-1_000_000.0, "")

    private var scene: HistoryScene { run.scene }
    private var context: NSManagedObjectContext { scene.context }

    init(_ seed: UInt64) throws {
        let keepsOldValues = seed % 2 == 0
        options = keepsOldValues ? HistoryScene.keepingOldValues : HistoryScene.tracking
        run = try HistoryRun(seed, keepsOldValues: keepsOldValues)
        random = SeededRandom(seed: ~seed)
        try keepToken()
    }

    /// Does something, and compares how much of the history there is with the list.
    mutating func step(_ comment: String) throws {
        self.comment = comment
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: note(try run.step(comment))
        case 8: try revert()
        case 9: try purgeByDate()
        case 10: try purgeByNumber()
        case 11: try limit()
        case 12: try markRead()
        case 13, 14: try keepToken()
        case 15: try readByDate()
        case 16: try readWithUnfitTokens()
        case 17: try scene.open(options)
        default: if let kept = tokens.randomElement(using: &random) { try read(from: kept) }
        }
        let extent = HistoryExtent(oldest: entries.first?.number, newest: run.transactions)
        #expect(try scene.extent() == extent, "\(comment)")
    }

    /// Reads from each token that was kept.
    mutating func readEverywhere(_ comment: String) throws {
        self.comment = comment
        for kept in tokens { try read(from: kept) }
    }

    // MARK: Changing

    /// Notes a transaction in the list, at a time that is not always later than that of the one before.
    private mutating func note(_ changes: [String]) {
        guard !changes.isEmpty else { return }
        clock += Double(Int.random(in: -2...6, using: &random)) * 100
        let number = run.transactions
        #expect(throws: Never.self, "\(comment)") {
            try scene.rows("UPDATE ATRANSACTION SET ZTIMESTAMP = \(clock) WHERE Z_PK = \(number)")
        }
        entries.append(Entry(number: number, time: clock, changes: changes))
    }

    private mutating func revert() throws {
        if let newest = try context.transactions(after: nil).randomElement(using: &random) { held.append(newest) }
        guard let transaction = held.randomElement(using: &random) else { return }
        let policies = [NSErrorMergePolicy, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump]
        let policy = policies.randomElement(using: &random) ?? NSErrorMergePolicy
        guard transaction.transactionNumber > purged else {
            expectError(NSPersistentHistoryTokenExpiredError) { try context.revert(transaction) }
            #expect(!context.hasChanges, "\(comment)")
            return
        }
        note(try run.step(comment) { try $0.revert(transaction, policy: policy) })
    }

    // MARK: Purging

    private mutating func purgeByDate() throws {
        let time = clock + Double(Int.random(in: -10...1, using: &random)) * 100 + 50
        let date = Date(timeIntervalSinceReferenceDate: time)
        try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: date))
        remove(before: entries.first { $0.time >= time }?.number ?? run.transactions + 1)
    }

    private mutating func purgeByNumber() throws {
        let transactions = try context.transactions(after: nil)
        if Bool.random(using: &random), let transaction = transactions.randomElement(using: &random) {
            try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: transaction))
            remove(before: transaction.transactionNumber)
        } else if let kept = tokens.randomElement(using: &random) {
            try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: try kept.token()))
            remove(before: kept.number)
        }
    }

    private mutating func limit() throws {
        var rule = PersistentHistoryRetention()
        var bounds: [Int64] = []
        if Bool.random(using: &random) {
            let count = Int.random(in: 1...8, using: &random)
            rule.maximumCount = count
            bounds.append(run.transactions - Int64(count) + 1)
        }
        if Bool.random(using: &random) {
            // Times of the list lie apart by more than a test takes.
            let limit = clock - Double(Int.random(in: 0...15, using: &random)) * 100 + 50
            rule.maximumAge = Date().timeIntervalSinceReferenceDate - limit
            bounds.append(entries.first { $0.time > limit }?.number ?? run.transactions + 1)
        }
        if Bool.random(using: &random) {
            let size = Int64.random(in: 0...2_500, using: &random)
            rule.maximumSize = Int(size)
            bounds.append(try firstNumber(within: size))
        }
        if Bool.random(using: &random) { rule.readers = ["a", "b"] }
        guard let bound = bounds.max() else { return }
        scene.store.historyWindow = rule.maximumSize.map { HistoryWindow(limit: Int64($0)) }
        let retention = HistoryRetention(store: scene.store, rule: rule)
        while try retention.deleteSome() {}
        remove(before: min(bound, rule.readers.map { (positions[$0] ?? 0) + 1 }.min() ?? bound))
    }

    /// The first of the newest transactions that together have no more than some bytes.
    private func firstNumber(within size: Int64) throws -> Int64 {
        var sizes: [Int64: Int64] = [:]
        try scene.history.readHistorySizes(of: 1...Int64.max, .oldestFirst) {
            sizes[$0] = $1
            return true
        }
        return sizes.keys.filter { first in sizes.filter { $0.key >= first }.values.reduce(0, +) <= size }.min()
            ?? run.transactions + 1
    }

    private mutating func remove(before number: Int64) {
        guard let first = entries.first?.number, number > first else { return }
        entries.removeAll { $0.number < number }
        purged = max(purged, number - 1)
    }

    private mutating func markRead() throws {
        let number = Int64.random(in: 0...run.transactions, using: &random)
        let reader = Bool.random(using: &random) ? "a" : "b"
        let token = NSPersistentHistoryToken([scene.store.identifier: number])
        try scene.coordinator.markHistoryRead(through: token, by: reader)
        positions[reader] = max(positions[reader] ?? 0, number)
    }

    // MARK: Reading

    private mutating func keepToken() throws {
        let token = try #require(scene.coordinator.currentPersistentHistoryToken(fromStores: nil), "\(comment)")
        guard Bool.random(using: &random) else { return tokens.append(.token(token, run.transactions)) }
        let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        tokens.append(.archive(data, run.transactions))
    }

    /// Reads what came after a place: exactly that, or the error where some of it is gone.
    private mutating func read(from kept: KeptToken) throws {
        let token = try kept.token()
        #expect(token == NSPersistentHistoryToken([scene.store.identifier: kept.number]), "\(comment)")
        guard kept.number >= purged else {
            expectError(NSPersistentHistoryTokenExpiredError) { try context.transactions(after: token) }
            return
        }
        try compare(.fetchHistory(after: token), entries.filter { $0.number > kept.number })
    }

    private mutating func readByDate() throws {
        let time = clock - Double(Int.random(in: 0...10, using: &random)) * 100 + 50
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date(timeIntervalSinceReferenceDate: time))
        try compare(request, entries.filter { $0.time > time })
    }

    private mutating func compare(_ request: NSPersistentHistoryChangeRequest, _ expected: [Entry]) throws {
        let changes = expected.flatMap(\.changes).sorted()
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            let count = try result(request, .count, as: NSNumber.self)
            #expect(count.intValue == changes.count, "\(comment)")
        case 1:
            let identifiers = try result(request, .objectIDs, as: [NSManagedObjectID].self).map(\.row)
            #expect(identifiers.sorted() == Set(changes.map(Self.row)).sorted(), "\(comment)")
        case 2:
            let found = try result(request, .changesOnly, as: [NSPersistentHistoryChange].self)
            #expect(found.map(\.text).sorted() == changes, "\(comment)")
        default:
            let found = try result(
                request, .transactionsAndChanges, as: [NSPersistentHistoryTransaction].self)
            #expect(found.map(\.transactionNumber) == expected.map(\.number), "\(comment)")
            #expect(found.map(\.timestamp.timeIntervalSinceReferenceDate) == expected.map(\.time), "\(comment)")
            #expect(found.map { ($0.changes ?? []).map(\.text).sorted() } == expected.map(\.changes), "\(comment)")
        }
    }

    private func result<Result>(
        _ request: NSPersistentHistoryChangeRequest, _ type: NSPersistentHistoryResultType, as: Result.Type
    ) throws -> Result {
        request.resultType = type
        let answer = try context.execute(request) as? NSPersistentHistoryResult
        return try #require(answer?.result as? Result, "\(comment)")
    }

    private static func row(of change: String) -> String { String(change.dropFirst().prefix { $0 != " " }) }

    /// Tokens of another store and of later states than there are.
    private func readWithUnfitTokens() throws {
        let foreign = NSPersistentHistoryToken([UUID().uuidString: run.transactions])
        let future = NSPersistentHistoryToken([scene.store.identifier: run.transactions + 1])
        for (token, code) in [(foreign, 134_501), (future, NSPersistentHistoryTokenExpiredError)] {
            expectError(code) { try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token)) }
            expectError(code) { try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: token)) }
        }
    }
}

extension NSManagedObjectID {
    /// Entity and key, as `HistoryReference` tells them.
    fileprivate var row: String {
        (entity.name ?? "") + uriRepresentation().lastPathComponent.dropFirst()
    }
}

extension NSPersistentHistoryChange {
    /// The change as `HistoryReference` tells it.
    fileprivate var text: String {
        switch changeType {
        case .insert: "+" + changedObjectID.row
        case .delete: "-" + changedObjectID.row
        case .update:
            (["~" + changedObjectID.row] + (updatedProperties ?? []).map(\.name).sorted()).joined(separator: " ")
        }
    }
}
