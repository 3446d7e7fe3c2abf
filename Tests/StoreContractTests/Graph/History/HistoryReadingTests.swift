import CoreData
import StoreContract
import TestBasics
import Testing

/// Bounds, result types and deletion of history.
@Suite struct HistoryReadingTests {
    /// A stack whose history has the transactions one, two and three, each of a new person.
    private func stack(_ kind: StoreKind) throws -> Stack {
        let stack = try HistoryModel.stack(kind)
        for name in ["one", "two", "three"] {
            stack.context.insert("Person", ["name": name])
            try stack.context.save(as: name)
        }
        return stack
    }

    private func authors(_ context: NSManagedObjectContext, _ request: NSPersistentHistoryChangeRequest) throws
        -> [String]
    {
        try context.history(request, as: [NSPersistentHistoryTransaction].self).map { $0.author ?? "nil" }
    }

    @Test(
        "history is read after a token, a transaction, a date, and whole, the oldest first (CTX-34)",
        arguments: StoreKind.keepingHistory)
    func historyIsReadAfterToken(kind: StoreKind) throws {
        let stack = try self.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        typealias Request = NSPersistentHistoryChangeRequest
        let all = try context.transactions()
        #expect(all.map(\.author) == ["one", "two", "three"] && all.map(\.transactionNumber) == [1, 2, 3])
        #expect(try authors(context, Request.fetchHistory(after: all[0].token)) == ["two", "three"])
        #expect(try authors(context, Request.fetchHistory(after: all[1])) == ["three"])
        #expect(try authors(context, Request.fetchHistory(after: all[2].token)).isEmpty)
        #expect(try authors(context, Request.fetchHistory(after: nil as NSPersistentHistoryTransaction?)).count == 3)
        #expect(try authors(context, Request.fetchHistory(after: all[0].timestamp)) == ["two", "three"])
        #expect(try authors(context, Request.fetchHistory(after: .distantPast)).count == 3)
        #expect(try authors(context, Request.fetchHistory(after: .distantFuture)).isEmpty)
        #expect(try context.currentToken() == all[2].token)
        #expect(Request.fetchHistory(after: all[1].token).token == all[1].token)
        #expect(Request.fetchHistory(after: Date()).token == nil)
    }

    @Test("Each result type gives what it names", arguments: StoreKind.keepingHistory)
    func resultTypes(kind: StoreKind) throws {
        let stack = try self.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let person = try #require(try context.all("Person", sortedBy: "name").first)
        person.setValue(5, forKey: "age")
        try context.save(as: "four")
        func request() -> NSPersistentHistoryChangeRequest {
            NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        }
        #expect(request().resultType == .transactionsAndChanges)
        #expect(try context.history(request(), .statusOnly) == true)
        #expect(try context.history(request(), .count, as: NSNumber.self) == 4)
        let identifiers = try context.history(request(), .objectIDs, as: [NSManagedObjectID].self)
        let people = try context.all("Person").map(\.objectID)
        #expect(identifiers.count == 3 && Set(identifiers) == Set(people))
        let transactions = try context.history(
            request(), .transactionsOnly, as: [NSPersistentHistoryTransaction].self)
        #expect(transactions.count == 4 && transactions.allSatisfy { $0.changes == nil })
        let changes = try context.history(request(), .changesOnly, as: [NSPersistentHistoryChange].self)
        #expect(changes.map(\.line) == ["insert Person", "insert Person", "insert Person", "update Person.age"])
        #expect(changes.allSatisfy { $0.transaction == nil } && changes.map(\.changeID) == [1, 2, 3, 4])
        let both = try context.history(
            request(), .transactionsAndChanges, as: [NSPersistentHistoryTransaction].self)
        #expect(both.map { $0.changes?.count } == [1, 1, 1, 1])
    }

    @Test(
        "Transactions, changes and tokens are their own copies, and no change keeps its transaction",
        arguments: StoreKind.keepingHistory)
    func transactionsChangesAndTokensAreTheirOwnCopies(kind: StoreKind) throws {
        let stack = try self.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        var transaction: NSPersistentHistoryTransaction? = try context.transactions().first
        #expect(transaction?.copy() as AnyObject? === transaction)
        #expect(transaction?.token == transaction?.token)
        let change = try #require(transaction?.changes?.first)
        #expect(change.copy() as AnyObject === change && change.transaction === transaction)
        transaction = nil
        #expect(change.transaction == nil)
    }

    @Test(
        "History is deleted before a token, a transaction, a date, each of which stays",
        arguments: StoreKind.keepingHistory)
    func historyIsDeletedBeforeToken(kind: StoreKind) throws {
        let stack = try self.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        typealias Request = NSPersistentHistoryChangeRequest
        let all = try context.transactions()
        func delete(_ request: Request) throws -> [String] {
            #expect(request.resultType == .statusOnly)
            #expect(try context.history(request, .statusOnly) == true)
            return try context.transactions().map { $0.author ?? "nil" }
        }
        #expect(try delete(Request.deleteHistory(before: nil as NSPersistentHistoryToken?)).count == 3)
        #expect(try delete(Request.deleteHistory(before: all[0].token)).count == 3)
        #expect(try delete(Request.deleteHistory(before: all[1])) == ["two", "three"])
        #expect(try delete(Request.deleteHistory(before: all[2].timestamp)) == ["three"])
        #expect(try delete(Request.deleteHistory(before: .distantFuture)).isEmpty)
        #expect(try context.currentToken() == all[2].token)
        #expect(try context.transactions(after: all[2].token).isEmpty)
        context.insert("Person", ["name": "four"])
        try context.save(as: "four")
        #expect(try context.transactions().map(\.transactionNumber) == [4])
    }

    @Test(
        "a token whose next transactions are deleted has expired, and the error says what to do (HAZ-32)",
        arguments: StoreKind.keepingHistory)
    func expiredToken(kind: StoreKind) throws {
        let stack = try self.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let all = try context.transactions()
        try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: all[2].token))
        #expect(try context.transactions(after: all[1].token).map(\.author) == ["three"])
        let error = expectError(NSPersistentHistoryTokenExpiredError) { try context.transactions(after: all[0].token) }
        #expect(error?.localizedRecoverySuggestion?.contains("currentPersistentHistoryToken") == true)
    }

    @Test("tokens of other stores and of the future are refused (HAZ-32)", arguments: StoreKind.keepingHistory)
    func strangeTokens(kind: StoreKind) throws {
        let stack = try self.stack(kind)
        let other = try self.stack(kind)
        let foreign = try other.context.currentToken()
        let error = expectError(134_501) { try stack.context.transactions(after: foreign) }
        #expect((error?.userInfo["Reason"] as? String)?.contains("not found in token") == true)
        let numbers = NSPersistentHistoryToken([stack.store.identifier: 99])
        let future = expectError(NSPersistentHistoryTokenExpiredError) {
            try stack.context.transactions(after: numbers)
        }
        #expect(future?.localizedFailureReason?.contains("older copy") == true)
        expectError(NSPersistentHistoryTokenExpiredError) {
            try stack.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: numbers))
        }
        #expect(try stack.context.transactions().count == 3)
    }

    @Test("A store without history refuses the request by name", arguments: StoreKind.all)
    func storeWithoutHistoryRefusesRequestByName(kind: StoreKind) throws {
        let stack = try Stack(HistoryModel.make(), kind: kind)
        let error = expectError(NSPersistentStoreUnsupportedRequestTypeError) { try stack.context.transactions() }
        #expect((error?.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore]) == [stack.store])
        #expect(error?.localizedFailureReason?.contains("NSPersistentHistoryTrackingKey") == true)
    }
}
