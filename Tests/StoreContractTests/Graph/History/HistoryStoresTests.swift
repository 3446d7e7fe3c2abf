import CoreData
import StoreContract
import TestBasics
import Testing

/// Several stores of one coordinator, and what contexts take over of a history.
@Suite struct HistoryStoresTests {
    private let tracked: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]

    private func add(_ kind: StoreKind, to stack: Stack, _ options: [AnyHashable: Any]?) throws -> NSPersistentStore {
        let url = stack.url.deletingLastPathComponent().appendingPathComponent("\(UUID()).store")
        return try stack.coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: url, options: options)
    }

    private func insert(_ name: String, in store: NSPersistentStore, _ context: NSManagedObjectContext) throws {
        context.assign(context.insert("Team", ["name": name]), to: store)
        try context.save(as: name)
    }

    @Test(
        "transactions of several stores come by time; a store added later from its beginning (CTX-34)",
        arguments: StoreKind.keepingHistory)
    func severalStores(kind: StoreKind) throws {
        let stack = try HistoryModel.stack(kind)
        let context = stack.context
        try insert("a1", in: stack.store, context)
        let former = try context.currentToken()
        let second = try add(kind, to: stack, tracked)
        try insert("b1", in: second, context)
        try insert("a2", in: stack.store, context)
        try insert("b2", in: second, context)
        #expect(try context.transactions().map(\.author) == ["a1", "b1", "a2", "b2"])
        #expect(try context.transactions(after: former).map(\.author) == ["b1", "a2", "b2"])
        let token = try context.currentToken()
        #expect(try context.transactions(after: token).isEmpty)
        let one = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: [second]))
        #expect(one != token)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        request.affectedStores = [second]
        #expect(try context.history(request, as: [NSPersistentHistoryTransaction].self).map(\.author) == ["b1", "b2"])
        let missing = NSPersistentHistoryChangeRequest.fetchHistory(after: former)
        missing.affectedStores = [second]
        expectError(134_501) { try context.execute(missing) }
        let limited = try context.transactions(where: "TRUEPREDICATE", limit: 3)
        #expect(limited.map(\.author) == ["a1", "b1", "a2"])
    }

    @Test(
        "One save into two stores is a transaction in each, and its token knows both",
        arguments: StoreKind.keepingHistory)
    func oneSave(kind: StoreKind) throws {
        let stack = try HistoryModel.stack(kind)
        let second = try add(kind, to: stack, tracked)
        let board = NoticeBoard(.NSManagedObjectContextDidSave, of: stack.context)
        for store in [stack.store, second] { stack.context.assign(stack.context.insert("Team"), to: store) }
        try stack.context.save()
        #expect(Set(try stack.context.transactions().map(\.storeID)) == [stack.store.identifier, second.identifier])
        let token = board.all.first?.userInfo?["newChangeToken"] as? NSPersistentHistoryToken
        let current = try stack.context.currentToken()
        #expect(token == current)
    }

    @Test(
        "Stores without history leave the answer to those with one, unless they are named",
        arguments: StoreKind.keepingHistory)
    func storesWithoutHistoryLeaveAnswerToThose(kind: StoreKind) throws {
        let stack = try HistoryModel.stack(kind)
        let plain = try add(kind, to: stack, nil)
        try insert("a", in: stack.store, stack.context)
        try insert("b", in: plain, stack.context)
        #expect(try stack.context.transactions().map(\.author) == ["a"])
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        request.affectedStores = [stack.store, plain]
        let error = expectError(NSPersistentStoreUnsupportedRequestTypeError) { try stack.context.execute(request) }
        #expect(error?.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore] == [plain])
    }

    @Test(
        "what another coordinator saved is found in the history and merged (CTX-34)",
        arguments: StoreKind.keepingHistory.filter { $0.capabilities.contains(.shared) })
    func otherCoordinator(kind: StoreKind) throws {
        let here = try HistoryModel.stack(kind)
        let ann = here.context.insert("Person", ["name": "Ann"])
        try here.context.save()
        let token = try here.context.currentToken()
        let there = try here.another()
        let other = try #require(try there.context.all("Person").first)
        other.setValue("Anne", forKey: "name")
        try there.context.save(as: "there")
        #expect(try there.context.currentToken() == here.context.currentToken())
        let transactions = try here.context.transactions(after: token)
        #expect(transactions.map(\.author) == ["there"] && ann.value(forKey: "name") as? String == "Ann")
        for transaction in transactions {
            here.context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
        #expect(ann.value(forKey: "name") as? String == "Anne")
    }

    @Test("merging a transaction does what merging its save did (CTX-34)", arguments: StoreKind.keepingHistory)
    func mergingTransactionDoesWhatMergingItsSaveDid(kind: StoreKind) throws {
        let stack = try HistoryModel.stack(kind)
        let context = stack.context
        let people = ["a", "b", "c"].map { context.insert("Person", ["name": $0]) }
        let team = context.insert("Team", ["name": "T", "people": NSSet(object: people[0])])
        try context.save()
        let readers = [stack.newContext(), stack.newContext()]
        func state(_ context: NSManagedObjectContext) -> [String] {
            context.registeredObjects.map { object in
                let name = object.isDeleted ? "-" : object.value(forKey: "name") as? String ?? "nil"
                return "\(object.objectID.uriRepresentation().lastPathComponent) \(name) \(object.isDeleted)"
            }.sorted()
        }
        for reader in readers {
            _ = try reader.all("Person").map { $0.value(forKey: "name") }
            _ = try reader.all("Team").map { ($0.value(forKey: "people") as? NSSet)?.count }
        }
        let token = try context.currentToken()
        let board = NoticeBoard(.NSManagedObjectContextDidSave, of: context)
        people[0].setValue("A", forKey: "name")
        people[1].setValue(team, forKey: "team")
        context.delete(people[2])
        context.insert("Person", ["name": "d"])
        try context.save()
        let transactions = try context.transactions(after: token)
        readers[0].mergeChanges(fromContextDidSave: try #require(board.all.first))
        for transaction in transactions {
            let notification = transaction.objectIDNotification()
            #expect(notification.name == .NSManagedObjectContextDidSaveObjectIDs)
            readers[1].mergeChanges(fromContextDidSave: notification)
        }
        #expect(state(readers[0]) == state(readers[1]))
        for reader in readers {
            #expect((try reader.all("Team").first?.value(forKey: "people") as? NSSet)?.count == 2)
        }
        let third = stack.newContext()
        let changes = NoticeBoard(.NSManagedObjectContextObjectsDidChange, of: third)
        let userInfo = try #require(transactions.first).objectIDNotification().userInfo ?? [:]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: userInfo, into: [third])
        #expect(changes.objects(NSInsertedObjectsKey).count == 1)
    }
}
