import CoreData
import StoreContract
import TestBasics
import Testing

/// The limit of a history's size, which means the same in every kind of store that keeps one.
@Suite struct HistorySizeTests {
    private func stack(_ kind: StoreKind, _ retention: PersistentHistoryRetention?) throws -> Stack {
        let description = NSPersistentStoreDescription()
        description.historyRetention = retention
        #expect(description.historyRetention == retention)
        let options = (description.options as [AnyHashable: Any]).merging(HistoryModel.options) { $1 }
        return try Stack(HistoryModel.make(), kind: kind, options: options)
    }

    /// Saves one team for each name: 140 bytes of history each.
    private func save(_ names: [String], in stack: Stack) throws {
        for name in names {
            stack.context.insert("Team", ["name": name])
            try stack.context.save(as: name)
        }
    }

    private func extent(_ stack: Stack) throws -> HistoryExtent {
        try stack.store.serialized { try #require(stack.store.objects?.history).historyExtent() }
    }

    /// The bytes of each transaction, the oldest first.
    private func sizes(_ stack: Stack, _ order: HistoryOrder = .oldestFirst) throws -> [Int64] {
        try stack.store.serialized {
            var sizes: [Int64] = []
            try #require(stack.store.objects?.history).readHistorySizes(of: 1...Int64.max, order) { _, size in
                sizes.append(size)
                return true
            }
            return sizes
        }
    }

    @Test(
        "the newest transactions that together are within the limit of size stay (CTX-34)",
        arguments: StoreKind.keepingHistory)
    func newestStay(kind: StoreKind) throws {
        let stack = try stack(kind, PersistentHistoryRetention(maximumSize: 3 * 140 + 139))
        try save(["a", "b", "c", "d", "e"], in: stack)
        eventually("old history to go") { (try? extent(stack)) == HistoryExtent(oldest: 3, newest: 5) }
        #expect(try sizes(stack) == [140, 140, 140])
        try save(["f"], in: stack)
        eventually("the next one to go") { (try? extent(stack)) == HistoryExtent(oldest: 4, newest: 6) }
        #expect(try stack.context.transactions().map(\.author) == ["d", "e", "f"])
        // A transaction that is larger than the limit goes with all before it, and later ones stay again.
        for number in 0..<20 { stack.context.insert("Team", ["name": "\(number)"]) }
        try stack.context.save()
        eventually("all to go") { (try? extent(stack)) == HistoryExtent(oldest: nil, newest: 7) }
        try save(["h"], in: stack)
        eventually("the last look") { (try? extent(stack)) == HistoryExtent(oldest: 8, newest: 8) }
    }

    @Test(
        "a named reader keeps more than the limit of size, and the first limit to say so counts (CTX-34)",
        arguments: StoreKind.keepingHistory)
    func limitsTogether(kind: StoreKind) throws {
        let rule = PersistentHistoryRetention(maximumCount: 4, maximumSize: 2 * 140, readers: ["widget"])
        let stack = try stack(kind, rule)
        try save(["a", "b", "c", "d", "e"], in: stack)
        let identifier = try #require(stack.store.identifier)
        let place = NSPersistentHistoryToken([identifier: 2])
        try stack.coordinator.markHistoryRead(through: place, by: "widget")
        try save(["f"], in: stack)
        eventually("what was read to go") { (try? extent(stack)) == HistoryExtent(oldest: 3, newest: 6) }
        // A position that the store has not come to yet does not outrun it.
        try stack.coordinator.markHistoryRead(through: NSPersistentHistoryToken([identifier: .max]), by: "widget")
        try save(["g"], in: stack)
        eventually("the limit to be kept") { (try? extent(stack)) == HistoryExtent(oldest: 6, newest: 7) }
    }

    @Test("deleting by request between saves does not mislead the limit (CTX-34)", arguments: StoreKind.keepingHistory)
    func deletedBetween(kind: StoreKind) throws {
        let stack = try stack(kind, PersistentHistoryRetention(maximumSize: 4 * 140))
        try save(["a", "b", "c", "d", "e"], in: stack)
        eventually("old history to go") { (try? extent(stack)) == HistoryExtent(oldest: 2, newest: 5) }
        let token = NSPersistentHistoryToken([stack.store.identifier: 5])
        try stack.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: token))
        try save(["f", "g", "h"], in: stack)
        #expect(try extent(stack) == HistoryExtent(oldest: 5, newest: 8))
        try save(["i"], in: stack)
        eventually("one more to go") { (try? extent(stack)) == HistoryExtent(oldest: 6, newest: 9) }
    }

    @Test("the bytes of a transaction are those of the definition (CTX-34)", arguments: StoreKind.keepingHistory)
    func bytesOfTransactionAreThoseOfDefinition(kind: StoreKind) throws {
        let stack = try stack(kind, nil)
        let context = stack.context
        let person = context.insert(
            "Person", ["name": "Zoë", "code": UUID(), "born": Date(timeIntervalSinceReferenceDate: 1)])
        try context.save()
        let other = context.insert("Person")
        person.setValue(3, forKey: "age")
        try context.save()
        // One of which nothing is kept, as it had no values.
        context.delete(other)
        try context.save()
        context.delete(person)
        try context.save()
        // The set of a person's ten properties has 2 bytes; "Zoë" has 4, the identity 16, the time 8.
        let expected: [Int64] = [140, 182, 140, 168]
        let found = try sizes(stack)
        #expect(found == expected)
        let backwards = try sizes(stack, .newestFirst)
        #expect(backwards == expected.reversed())
    }

    @Test("A store that keeps no history takes a limit and has nothing to delete", arguments: StoreKind.wholeFiles)
    func withoutHistory(kind: StoreKind) throws {
        let stack = try stack(kind, PersistentHistoryRetention(maximumSize: 0))
        try save(["a", "b"], in: stack)
        expectError(NSPersistentStoreUnsupportedRequestTypeError) { try stack.context.transactions() }
        #expect(try stack.reopened().context.all("Team").count == 2)
    }

    @Test("Options without a valid limit give no rule, and a negative limit counts as zero")
    func optionsWithoutValidLimitGiveNoRule() {
        let description = NSPersistentStoreDescription()
        description.historyRetention = PersistentHistoryRetention(readers: ["a"])
        #expect(description.historyRetention == nil)
        description.setOption(["maximumSize": "much"] as NSDictionary, forKey: CoreDataHistoryRetentionOption)
        #expect(description.historyRetention == nil)
        description.setOption(["maximumSize": -5] as NSDictionary, forKey: CoreDataHistoryRetentionOption)
        #expect(description.historyRetention == PersistentHistoryRetention(maximumSize: 0))
    }
}
