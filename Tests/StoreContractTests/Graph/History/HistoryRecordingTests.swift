import CoreData
import StoreContract
import Testing

/// What stores record of saves.
@Suite struct HistoryRecordingTests {
    private func newest(_ context: NSManagedObjectContext) throws -> [String] {
        try context.save()
        return try #require(try context.transactions().last).lines
    }

    @Test("a save of new objects is a transaction of insertions (CTX-34)", arguments: StoreKind.keepingHistory)
    func saveOfNewObjectsIsTransactionOfInsertions(kind: StoreKind) throws {
        let stack = try HistoryModel.stack(kind)
        stack.context.name = "editor"
        let team = stack.context.insert("Team", ["name": "A"])
        let pilot = stack.context.insert("Pilot", ["name": "Ann", "team": team])
        let before = Date()
        try stack.context.save(as: "tests")
        let transaction = try #require(try stack.context.transactions().first)
        #expect(transaction.lines == ["insert Pilot", "insert Team"])
        #expect(transaction.author == "tests" && transaction.contextName == "editor")
        #expect(transaction.processID == ProcessInfo.processInfo.processName)
        #expect(transaction.bundleID == Bundle.main.bundleIdentifier ?? "")
        #expect(transaction.storeID == stack.store.identifier && transaction.transactionNumber == 1)
        #expect(transaction.timestamp >= before.addingTimeInterval(-1) && transaction.timestamp <= Date())
        #expect(transaction.changes?.allSatisfy { $0.transaction === transaction } == true)
        #expect(transaction.changes?.allSatisfy { $0.updatedProperties == nil && $0.tombstone == nil } == true)
        #expect(Set(transaction.changes?.map(\.changedObjectID) ?? []) == [team.objectID, pilot.objectID])
    }

    @Test(
        "An update records the properties that have other values, and the owners of moved members",
        arguments: StoreKind.keepingHistory)
    func updateRecordsPropertiesThatHaveOtherValues(kind: StoreKind) throws {
        let stack = try HistoryModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let (a, b) = (context.insert("Team", ["name": "A"]), context.insert("Team", ["name": "B"]))
        let ann = context.insert("Person", ["name": "Ann", "age": 1, "team": a])
        let club = context.insert("Club", ["name": "C"])
        try context.save()
        ann.setValue(2, forKey: "age")
        ann.setValue("Anne", forKey: "name")
        #expect(try newest(context) == ["update Person.age+name"])
        ann.setValue(b, forKey: "team")
        #expect(try newest(context) == ["update Person.team", "update Team.people+size", "update Team.people+size"])
        ann.setValue(NSSet(object: club), forKey: "clubs")
        #expect(try newest(context) == ["update Club.members", "update Person.clubs"])
        ann.setValue(NSSet(), forKey: "clubs")
        #expect(try newest(context) == ["update Club.members", "update Person.clubs"])
        ann.setValue(nil, forKey: "team")
        #expect(try newest(context) == ["update Person.team", "update Team.people+size"])
    }

    @Test("An inserted or deleted member is a change of its owner", arguments: StoreKind.keepingHistory)
    func insertedOrDeletedMemberIsChangeOfItsOwner(kind: StoreKind) throws {
        let stack = try HistoryModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let ann = context.insert("Person", ["name": "Ann"])
        try context.save()
        let task = context.insert("Task", ["title": "T", "person": ann])
        #expect(try newest(context) == ["insert Task", "update Person.tasks"])
        context.delete(task)
        #expect(try newest(context) == ["delete Task", "update Person.tasks"])
    }

    @Test("Another order of an ordered relationship is a change of its owner", arguments: StoreKind.keepingHistory)
    func anotherOrderOfOrderedRelationshipIsChangeOfItsOwner(kind: StoreKind) throws {
        let stack = try HistoryModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let people = ["a", "b", "c"].map { context.insert("Person", ["name": $0]) }
        let club = context.insert("Club", ["members": NSOrderedSet(array: people)])
        try context.save()
        club.setValue(NSOrderedSet(array: people.reversed()), forKey: "members")
        try context.save()
        let lines = try #require(try context.transactions().last).lines
        #expect(lines.contains("update Club.members"))
    }

    @Test(
        "A deletion records what cascades, who loses a member, and the values that the model marks",
        arguments: StoreKind.keepingHistory)
    func deletionRecordsWhatCascades(kind: StoreKind) throws {
        let stack = try HistoryModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let team = context.insert("Team", ["name": "A"])
        let (code, born) = (UUID(), Date(timeIntervalSinceReferenceDate: 12_345))
        let pilot = context.insert("Pilot", ["name": "Ann", "age": 3, "code": code, "born": born, "team": team])
        let identifier = try {
            try context.save()
            return pilot.objectID
        }()
        pilot.setValue(NSSet(array: (0..<2).map { context.insert("Task", ["title": "\($0)"]) }), forKey: "tasks")
        pilot.setValue(NSSet(object: context.insert("Club")), forKey: "clubs")
        try context.save()
        context.delete(pilot)
        try context.save()
        let transaction = try #require(try context.transactions().last)
        #expect(
            transaction.lines == [
                "delete Pilot", "delete Task", "delete Task", "update Club.members", "update Team.people+size",
            ])
        let deletion = try #require(transaction.changes?.first { $0.changedObjectID == identifier })
        let tombstone = try #require(deletion.tombstone)
        #expect(tombstone.count == 3 && tombstone["license"] == nil)
        #expect(tombstone["name"] as? String == "Ann" && tombstone["code"] as? UUID == code)
        #expect(tombstone["born"] as? Date == born)
        let tasks = transaction.changes?.filter { $0.changedObjectID.entity.name == "Task" } ?? []
        #expect(tasks.count == 2 && tasks.allSatisfy { $0.tombstone == nil })
        #expect(transaction.changes?.map(\.changeType.rawValue) == [1, 1, 2, 2, 2])
    }

    @Test("Saves that change nothing record nothing", arguments: StoreKind.keepingHistory)
    func savesThatChangeNothingRecordNothing(kind: StoreKind) throws {
        let stack = try HistoryModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let ann = context.insert("Person", ["name": "Ann"])
        try context.save()
        let token = try context.currentToken()
        try context.save()
        ann.setValue("Ann", forKey: "name")
        try context.save()
        context.delete(context.insert("Person", ["name": "Bob"]))
        try context.save()
        #expect(try context.transactions(after: token).isEmpty)
        #expect(try context.currentToken() == token)
    }

    @Test(
        "An object that is inserted and deleted between saves of another leaves nothing",
        arguments: StoreKind.keepingHistory)
    func insertedAndDeleted(kind: StoreKind) throws {
        let stack = try HistoryModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let bob = context.insert("Person", ["name": "Bob"])
        context.insert("Team", ["name": "A"])
        context.processPendingChanges()
        context.delete(bob)
        try context.save()
        #expect(try context.transactions().map(\.lines) == [["insert Team"]])
    }

    @Test(
        "an upsert is a change of the record that was there, a value that a merge policy keeps is not (CTX-34)",
        arguments: StoreKind.keepingHistory)
    func upsertIsChangeOfRecord(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity(
            "User", ["mail": .stringAttributeType, "name": .stringAttributeType, "age": .integer32AttributeType])
        builder["User"].uniquenessConstraints = [["mail"]]
        let stack = try Stack(builder.model, kind: kind, options: HistoryModel.options)
        let context = stack.context
        let record = context.insert("User", ["mail": "a", "name": "Ann", "age": 3])
        try context.save()
        let identifier = record.objectID
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.reset()
        context.insert("User", ["mail": "a", "name": "Anne"])
        #expect(try newest(context) == ["update User.name"])
        #expect(try context.transactions().last?.changes?.map(\.changedObjectID) == [identifier])
        // The record stays as it is, so that nothing is recorded.
        context.mergePolicy = NSMergePolicy.rollback
        context.reset()
        context.insert("User", ["mail": "a", "name": "Eve"])
        try context.save()
        #expect(try context.transactions().count == 2)
        // The conflict of an update with what another context saved leaves the property that only this one changed.
        context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        let here = try #require(try context.all("User").first)
        #expect(here.value(forKey: "name") as? String == "Anne")
        let other = stack.newContext()
        try other.all("User").first?.setValue("Zoe", forKey: "name")
        try other.save()
        here.setValue("Bea", forKey: "name")
        here.setValue(7, forKey: "age")
        #expect(try newest(context) == ["update User.age"])
    }

    @Test("A save posts the token that it led to", arguments: StoreKind.keepingHistory)
    func savedToken(kind: StoreKind) throws {
        let stack = try HistoryModel.stack(kind)
        let boards = [Notification.Name.NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs].map {
            NoticeBoard($0, of: stack.context)
        }
        stack.context.insert("Team", ["name": "A"])
        try stack.context.save()
        let token = try stack.context.currentToken()
        for board in boards {
            #expect(board.all.first?.userInfo?["newChangeToken"] as? NSPersistentHistoryToken == token)
        }
        let message = try #require(NSManagedObjectContext.DidSaveObjectIDsAsyncMessage.makeMessage(boards[1].all[0]))
        #expect(message.historyToken == token)
        let again = NSManagedObjectContext.DidSaveObjectIDsAsyncMessage.makeNotification(message)
        #expect(again.userInfo?["newChangeToken"] as? NSPersistentHistoryToken == token)
    }

    @Test("A save into a store without history posts no token", arguments: StoreKind.keepingHistory)
    func noToken(kind: StoreKind) throws {
        let stack = try Stack(HistoryModel.make(), kind: kind)
        let board = NoticeBoard(.NSManagedObjectContextDidSave, of: stack.context)
        stack.context.insert("Team", ["name": "A"])
        try stack.context.save()
        #expect(board.all.count == 1 && board.all[0].userInfo?["newChangeToken"] == nil)
        #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
    }
}
