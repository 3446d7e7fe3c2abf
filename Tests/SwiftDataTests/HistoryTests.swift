import Foundation
import SwiftData
import TestBasics
import Testing

/// The history of the stores of models.
@Suite struct HistoryTests {
    private typealias Descriptor = HistoryDescriptor<DefaultHistoryTransaction>
    private let folder: TemporaryFolder
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.url.appending(path: "ledger.store"))
        context = ModelContext(try ModelContainer(for: Entry.self, configurations: configuration))
    }

    /// Saves entries, each in a transaction of its own.
    private func save(_ codes: [String], by author: String? = nil) throws {
        context.author = author
        for code in codes {
            context.insert(Entry(code: code))
            try context.save()
        }
    }

    @Test func transactionsHaveTheirAuthorsAndChanges() throws {
        context.author = "ada"
        let entry = Entry(code: "a", count: 1)
        entry.account = Account(name: "main")
        context.insert(entry)
        try context.save()
        context.author = nil
        entry.count = 2
        entry.comment = "edited"
        try context.save()
        let transactions = try context.fetchHistory(Descriptor())
        #expect(transactions.map(\.author) == ["ada", nil])
        #expect(transactions[0].transactionIdentifier < transactions[1].transactionIdentifier)
        #expect(transactions[0].token < transactions[1].token && transactions[0].timestamp <= transactions[1].timestamp)
        #expect(transactions.allSatisfy { !$0.storeIdentifier.isEmpty && !$0.processIdentifier.isEmpty })
        let inserts = transactions[0].changes.compactMap { change -> (any HistoryInsert)? in
            guard case .insert(let insert) = change else { return nil }
            return insert
        }
        #expect(inserts.count == 2 && inserts.contains { $0 is DefaultHistoryInsert<Account> })
        let typed = try #require(inserts.compactMap { $0 as? DefaultHistoryInsert<Entry> }.first)
        #expect(typed.changedPersistentIdentifier == entry.persistentModelID)
        #expect(typed.transactionIdentifier == transactions[0].transactionIdentifier)
        guard case .update(let update as DefaultHistoryUpdate<Entry>) = transactions[1].changes.first else {
            Issue.record("The second transaction has no update of an entry.")
            return
        }
        #expect(Set(update.updatedAttributes as [PartialKeyPath<Entry>]) == [\.count, \.comment])
        #expect(update.containsAttribute(\.comment) && !update.containsAttribute(\.code))
        let model = context.model(for: transactions[1].changes[0].changedPersistentIdentifier)
        #expect(model as? Entry === entry)
    }

    @Test func deletionKeepsPreservedValues() throws {
        let entry = Entry(code: "gone", count: 7, kind: .expense)
        entry.amount = 12.5
        entry.span = Entry.Span(from: 1, to: 9)
        entry.comment = "not kept"
        context.insert(entry)
        try context.save()
        context.delete(entry)
        try context.save()
        let last = try #require(try context.fetchHistory(Descriptor()).last)
        guard case .delete(let deletion as DefaultHistoryDelete<Entry>) = last.changes.first else {
            Issue.record("The last transaction has no deletion of an entry.")
            return
        }
        let tombstone = deletion.tombstone
        #expect(tombstone[\.code] == "gone" && tombstone[\.amount] == 12.5 && tombstone[\.count] == 7)
        #expect(tombstone[\.kind] == .expense && tombstone[\.span] == Entry.Span(from: 1, to: 9))
        #expect(tombstone[\.comment] == nil && tombstone[\.account] == nil)
        let untyped: PartialKeyPath<Entry> = \.code
        #expect(tombstone[untyped] as? String == "gone")
        #expect(deletion.changedPersistentIdentifier == entry.persistentModelID)
    }

    @Test func predicateOnTokenAndAuthorSelects() throws {
        try save(["a", "b"], by: "ada")
        let token = try #require(try context.fetchHistory(Descriptor()).last?.token)
        try save(["c"], by: "bob")
        try save(["d", "e"], by: "ada")
        let later = try context.fetchHistory(Descriptor(predicate: #Predicate { $0.token > token }))
        #expect(later.map(\.author) == ["bob", "ada", "ada"])
        let others = try context.fetchHistory(
            Descriptor(predicate: #Predicate { $0.token > token && $0.author != "ada" }))
        #expect(others.map(\.author) == ["bob"])
        let number = later[1].transactionIdentifier
        let one = try context.fetchHistory(Descriptor(predicate: #Predicate { $0.transactionIdentifier == number }))
        #expect(one.map(\.transactionIdentifier) == [number] && one[0].changes.count == 1)
        var limited = Descriptor(sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
        limited.fetchLimit = 2
        #expect(try context.fetchHistory(limited).map(\.author) == ["ada", "ada"])
        limited.sortBy = []
        #expect(try context.fetchHistory(limited).map(\.transactionIdentifier).first != number)
    }

    @Test func predicateThatNoStoreAnswersIsEvaluatedInMemory() throws {
        try save(["a"], by: "ada")
        context.insert(Entry(code: "b"))
        context.insert(Entry(code: "c"))
        try context.save()
        let large = try context.fetchHistory(Descriptor(predicate: #Predicate { $0.changes.count > 1 }))
        #expect(large.map(\.changes.count) == [2])
    }

    @Test func tokenIsKeptAsText() throws {
        try save(["a"])
        let token = try #require(try context.fetchHistory(Descriptor()).last?.token)
        let coded = try JSONDecoder().decode(DefaultHistoryToken.self, from: JSONEncoder().encode(token))
        #expect(coded == token && coded.tokenValue?.count == 1)
        try save(["b"])
        let later = try context.fetchHistory(Descriptor(predicate: #Predicate { $0.token > coded }))
        #expect(later.count == 1)
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(DefaultHistoryToken.self, from: Data("{\"numbers\":7}".utf8))
        }
    }

    @Test func deletedHistoryMakesTokensExpire() throws {
        try save(["a", "b", "c", "d"])
        let all = try context.fetchHistory(Descriptor())
        let (first, third) = (all[0].token, all[2].token)
        try context.deleteHistory(Descriptor(predicate: #Predicate { $0.token < third }))
        #expect(try context.fetchHistory(Descriptor()).map(\.token) == [all[2].token, all[3].token])
        #expect {
            try context.fetchHistory(Descriptor(predicate: #Predicate { $0.token > first }))
        } throws: {
            SwiftDataError.historyTokenExpired ~= $0
        }
        #expect(try context.fetchHistory(Descriptor(predicate: #Predicate { $0.token > third })).count == 1)
        try context.deleteHistory(Descriptor())
        #expect(try context.fetchHistory(Descriptor()).isEmpty)
        #expect(try context.fetchCount(FetchDescriptor<Entry>()) == 4)
    }

    @Test func tokenOfALaterStateIsExpired() throws {
        try save(["a"])
        let token = try #require(try context.fetchHistory(Descriptor()).last?.token)
        let store = try #require(token.tokenValue?.keys.first)
        let text = try String(decoding: JSONEncoder().encode(token), as: UTF8.self)
        let later = text.replacing("\"\(store)\":\(token.tokenValue?[store] ?? 0)", with: "\"\(store)\":999")
        let future = try JSONDecoder().decode(DefaultHistoryToken.self, from: Data(later.utf8))
        #expect(future.tokenValue == [store: 999])
        #expect {
            try context.fetchHistory(Descriptor(predicate: #Predicate { $0.token > future }))
        } throws: {
            SwiftDataError.historyTokenExpired ~= $0
        }
    }

    @Test func storeInMemoryHasNoHistory() throws {
        let container = try ModelContainer(
            for: Entry.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        #expect {
            try ModelContext(container).fetchHistory(Descriptor())
        } throws: {
            SwiftDataError.invalidTransactionFetchRequest ~= $0
        }
    }

    @Test func changesOfAnotherProgramPartAreFound() throws {
        try save(["a"], by: "mine")
        let url = folder.url.appending(path: "ledger.store")
        let other = ModelContext(try ModelContainer(for: Entry.self, configurations: ModelConfiguration(url: url)))
        other.author = "import"
        for number in 0..<500 { other.insert(Entry(code: "\(number)")) }
        try other.save()
        let found = try context.fetchHistory(Descriptor(predicate: #Predicate { $0.author == "import" }))
        #expect(found.map(\.changes.count) == [500])
        let codes = found[0].changes.compactMap {
            (context.model(for: $0.changedPersistentIdentifier) as? Entry)?.code
        }
        #expect(codes.count == 500 && Set(codes).count == 500)
    }
}
