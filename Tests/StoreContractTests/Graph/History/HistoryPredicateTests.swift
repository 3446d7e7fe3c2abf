import CoreData
import StoreContract
import TestBasics
import Testing

/// Fetch requests over the entities of history.
@Suite struct HistoryPredicateTests {
    /// A stack whose transactions are: A inserts a person and a pilot, nobody updates both, B deletes the pilot.
    private func stack(_ kind: StoreKind) throws -> (stack: Stack, person: NSManagedObjectID, pilot: NSManagedObjectID)
    {
        let stack = try HistoryModel.stack(kind)
        let context = stack.context
        let person = context.insert("Person", ["name": "Ann"])
        let pilot = context.insert("Pilot", ["name": "Bob"])
        try context.save(as: "A")
        let identifiers = (person.objectID, pilot.objectID)
        person.setValue(5, forKey: "age")
        pilot.setValue("Bert", forKey: "name")
        context.name = "second"
        try context.save(as: nil)
        context.delete(pilot)
        try context.save(as: "B")
        return (stack, identifiers.0, identifiers.1)
    }

    @Test("Transactions are found by each of their attributes", arguments: StoreKind.keepingHistory)
    func transactionsAreFoundByEachOfTheirAttributes(kind: StoreKind) throws {
        let stack = try self.stack(kind).stack
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let all = try context.transactions()
        func numbers(_ format: String, _ arguments: Any...) throws -> [Int64] {
            let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
            fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
            let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
            return try context.history(request, as: [NSPersistentHistoryTransaction].self).map(\.transactionNumber)
        }
        #expect(try numbers("author == 'A'") == [1])
        #expect(try numbers("author != 'A'") == [2, 3])
        #expect(try numbers("author == nil") == [2])
        #expect(try numbers("contextName == 'second'") == [2, 3])
        #expect(try numbers("processID == %@", ProcessInfo.processInfo.processName) == [1, 2, 3])
        #expect(try numbers("timestamp > %@", all[0].timestamp) == [2, 3])
        #expect(try numbers("transactionNumber >= 2") == [2, 3])
        #expect(try numbers("token > %@", all[0].token) == [2, 3])
        #expect(try numbers("%@ < token", all[1].token) == [3])
        #expect(try numbers("token == %@", all[1].token) == [2])
        #expect(try numbers("token <= %@ AND author != 'A'", all[1].token) == [2])
        #expect(try numbers("token < %@ OR author == 'B'", all[1].token) == [1, 3])
        #expect(try numbers("NOT token > %@", all[1].token) == [1, 2])
    }

    @Test("Changes are found by kind, entity, object, property and kept value", arguments: StoreKind.keepingHistory)
    func changesAreFoundByKind(kind: StoreKind) throws {
        let (stack, person, pilot) = try stack(kind)
        let context = stack.context
        func lines(_ format: String, _ arguments: Any...) throws -> [String] {
            let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
            fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
            let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
            return try context.history(request, .changesOnly, as: [NSPersistentHistoryChange].self).map(\.line)
        }
        let kinds = NSPersistentHistoryChangeType.delete.rawValue
        #expect(try lines("changeType == %d", kinds) == ["delete Pilot"])
        let entities = try ["Person", "Pilot", "Team"].map { try #require(stack.model.entitiesByName[$0]) }
        #expect(try lines("changedEntity == %@", entities[0]) == ["insert Person", "update Person.age"])
        #expect(
            try lines("changedEntity IN %@", Array(entities[1...]))
                == ["insert Pilot", "update Pilot.name", "delete Pilot"])
        #expect(try lines("changedObjectID == %@", person) == ["insert Person", "update Person.age"])
        #expect(try lines("changedObjectID == %@ AND changeType == 2", pilot) == ["delete Pilot"])
        #expect(try lines("changedID == 1").count == 1)
        #expect(try lines("'name' IN updatedProperties") == ["update Pilot.name"])
        #expect(try lines("ANY updatedProperties == 'age'") == ["update Person.age"])
        #expect(try lines("updatedProperties CONTAINS 'age'") == ["update Person.age"])
        #expect(try lines("tombstone.name == 'Bert'") == ["delete Pilot"])
        #expect(try lines("tombstone.name == 'Ann'").isEmpty)
    }

    @Test(
        "With a predicate on changes, transactions have what is found and no others come",
        arguments: StoreKind.keepingHistory)
    func changesOfTransactions(kind: StoreKind) throws {
        let (stack, person, _) = try stack(kind)
        let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
        fetch.predicate = NSPredicate(format: "changedObjectID == %@", person)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        let found: [NSPersistentHistoryTransaction] = try stack.context.history(request)
        #expect(found.map(\.lines) == [["insert Person"], ["update Person.age"]])
        #expect(
            try stack.context.history(request, .transactionsOnly, as: [NSPersistentHistoryTransaction].self)
                .map(\.transactionNumber) == [1, 2])
        #expect(try stack.context.history(request, .count, as: Int.self) == 2)
        #expect(try stack.context.history(request, .objectIDs, as: [NSManagedObjectID].self) == [person])
        let bound = NSPersistentHistoryChangeRequest.fetchHistory(after: found[0].token)
        bound.fetchRequest = fetch
        #expect(try stack.context.history(bound, .count, as: Int.self) == 1)
    }

    @Test("Order, limit and offset of the fetch request count", arguments: StoreKind.keepingHistory)
    func orderLimitAndOffsetOfFetchRequestCount(kind: StoreKind) throws {
        let stack = try self.stack(kind).stack
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        func found(_ change: (NSFetchRequest<any NSFetchRequestResult>) -> Void) throws -> [Int64] {
            let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
            change(fetch)
            let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
            return try context.history(request, as: [NSPersistentHistoryTransaction].self).map(\.transactionNumber)
        }
        #expect(try found { $0.fetchLimit = 2 } == [1, 2])
        #expect(try found { ($0.fetchLimit, $0.fetchOffset) = (1, 1) } == [2])
        #expect(try found { ($0.fetchLimit, $0.fetchOffset) = (.max, 1) } == [2, 3])
        #expect(try found { $0.sortDescriptors = [NSSortDescriptor(key: "token", ascending: false)] } == [3, 2, 1])
        #expect(
            try found {
                $0.sortDescriptors = [
                    NSSortDescriptor(keyPath: \NSPersistentHistoryTransaction.author, ascending: false)
                ]
                $0.fetchLimit = 2
            } == [3, 1])
        let changes = try #require(NSPersistentHistoryChange.fetchRequest)
        changes.sortDescriptors = [NSSortDescriptor(key: "changedID", ascending: false)]
        changes.fetchLimit = 2
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: changes)
        #expect(
            try context.history(request, .changesOnly, as: [NSPersistentHistoryChange].self).map(\.changeID) == [5, 4])
        #expect(try context.history(request, .count, as: Int.self) == 2)
        #expect(try context.history(request, as: [NSPersistentHistoryTransaction].self).count == 2)
    }

    @Test("What the entities do not have is an error that names it", arguments: StoreKind.keepingHistory)
    func whatEntitiesDoNotHaveIsErrorThatNames(kind: StoreKind) throws {
        let stack = try self.stack(kind).stack
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let error = expectError(NSCoreDataError) { try context.changes(where: "author == 'A'") }
        #expect(error?.localizedDescription.contains("Change.author") == true)
        expectError(NSCoreDataError) { try context.transactions(where: "changeType == 1") }
        expectError(NSCoreDataError) { try context.transactions(where: "author.size == 1") }
        expectError(NSCoreDataError) { try context.transactions(where: "objectID == nil") }
        expectError(NSCoreDataError) { try context.transactions(where: "TRUEPREDICATE", sortedBy: "name") }
        expectError(NSCoreDataError) { try context.transactions(where: "author == $MISSING") }
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        expectError(NSCoreDataError) {
            try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch))
        }
        let deletion = NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture)
        deletion.fetchRequest = NSPersistentHistoryChange.fetchRequest
        expectError(NSCoreDataError) { try context.execute(deletion) }
        #expect(try context.transactions().count == 3)
    }

    @Test("A deletion with a fetch request removes what it finds before its bound", arguments: StoreKind.keepingHistory)
    func deletionByAuthor(kind: StoreKind) throws {
        let stack = try self.stack(kind).stack
        let context = stack.context
        let all = try context.transactions()
        func left(_ deletion: NSPersistentHistoryChangeRequest, _ format: String) throws -> [Int64] {
            let fetch = NSPersistentHistoryTransaction.fetchRequest
            fetch?.predicate = NSPredicate(format: format)
            deletion.fetchRequest = fetch
            #expect((try context.execute(deletion) as? NSPersistentHistoryResult)?.result as? Bool == true)
            return try context.transactions().map(\.transactionNumber)
        }
        typealias Request = NSPersistentHistoryChangeRequest
        #expect(try left(Request.deleteHistory(before: .distantFuture), "author == 'C'") == [1, 2, 3])
        #expect(try left(Request.deleteHistory(before: .distantPast), "author == 'B'") == [1, 2, 3])
        #expect(try left(Request.deleteHistory(before: all[2].token), "author == 'B'") == [1, 2, 3])
        #expect(try left(Request.deleteHistory(before: .distantFuture), "author == nil") == [1, 3])
        // What follows a hole is still read from a token, and new transactions come behind.
        context.insert("Person")
        try context.save(as: "A")
        let after = Request.fetchHistory(after: all[0].token)
        #expect(
            try context.history(after, as: [NSPersistentHistoryTransaction].self).map(\.transactionNumber) == [3, 4])
        #expect(try left(Request.deleteHistory(before: .distantFuture), "author == 'A'") == [3])
        #expect(try context.transactions()[0].changes?.count == 1)
    }

    @Test("The entities of history are there without a store, with the attributes of Apple's")
    func entitiesOfHistoryAreThereWithoutStore() throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let transaction = try #require(NSPersistentHistoryTransaction.entityDescription(with: context))
        #expect(transaction === NSPersistentHistoryTransaction.entityDescription && transaction.name == "Transaction")
        #expect(
            Set(transaction.attributesByName.keys) == [
                "author", "bundleID", "contextName", "processID", "timestamp", "token", "transactionNumber",
            ])
        let change = try #require(NSPersistentHistoryChange.entityDescription(with: context))
        #expect(change.name == "Change" && change.attributesByName["changedObjectID"] != nil)
        #expect(change.attributesByName["changedEntity"]?.name == "changedEntity")
        #expect(NSPersistentHistoryChange.fetchRequest !== NSPersistentHistoryChange.fetchRequest)
    }
}
