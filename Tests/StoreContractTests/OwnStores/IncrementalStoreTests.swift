import CoreData
import StoreContract
import Synchronization
import Testing

/// What a store class of one's own is asked and told, and what becomes of what it answers.
@Suite struct IncrementalStoreTests {
    private static func stack<Store: DictionaryStore>(_ type: Store.Type) throws -> Stack {
        try HeroModel.stack(Store.kind([.exactDecimals, .exactReals, .namesRecords]))
    }

    private static func store<Store: DictionaryStore>(_ stack: Stack, _ type: Store.Type = Store.self) throws -> Store {
        try #require(stack.store as? Store)
    }

    // MARK: Names of records

    @Test(
        "reference objects come back from URIs as what they were (STO-05)",
        arguments: [
            "a", "", "12", "-1", "1.5", "nan", "~", "~~1", "a/b", "a b?c#d%2F", "ä漢🇩🇪", "p1", ".", "..",
            "9223372036854775808",
        ])
    func textReferences(text: String) throws {
        let stack = try Self.stack(DictionaryStore.self)
        let store: DictionaryStore = try Self.store(stack)
        let hero = try #require(stack.model.entitiesByName["Hero"])
        let identifier = store.newObjectID(for: hero, referenceObject: text)
        let uri = identifier.uriRepresentation()
        let found = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri), "\(uri)")
        #expect(found == identifier && store.referenceObject(for: found) as? String == text)
        #expect(store.newObjectID(for: hero, referenceObject: text) == identifier)
    }

    @Test(
        "numbers are numbers, apart from texts of the same digits (STO-05)",
        arguments: [0, 1, 7, -7, 1 << 62, Int64.max, .min])
    func numberReferences(number: Int64) throws {
        let stack = try Self.stack(DictionaryStore.self)
        let store: DictionaryStore = try Self.store(stack)
        let hero = try #require(stack.model.entitiesByName["Hero"])
        let identifier = store.newObjectID(for: hero, referenceObject: NSNumber(value: number))
        let uri = identifier.uriRepresentation()
        #expect(uri.absoluteString.hasSuffix("/Hero/p\(number)"))
        let found = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
        #expect(found == identifier && (store.referenceObject(for: found) as? NSNumber)?.int64Value == number)
        #expect(store.newObjectID(for: hero, referenceObject: "\(number)") != identifier)
    }

    @Test("an identifier says its URI also when its store is closed, and leads to the record in the next one (STO-05)")
    func identifiersOutliveStores() throws {
        let stack = try HeroModel.stack(JSONFileStore.kind([.durable, .exactDecimals, .exactReals, .namesRecords]))
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        let identifier = hero.objectID
        let uri = identifier.uriRepresentation()
        #expect(uri.absoluteString.hasSuffix("/Hero/pHero%2F1"))
        let again = try stack.reopened()
        #expect(identifier.uriRepresentation() == uri)
        #expect(try again.context.existingObject(with: identifier).value(forKey: "name") as? String == "Ann")
    }

    // MARK: What it is asked

    @Test(
        "a fetch reaches the store with its window and result type, and the values only when they are asked for (STO-05)"
    )
    func requestsReachTheStore() throws {
        let stack = try Self.stack(RecordingStore.self)
        for number in 0..<10 { stack.context.insert("Hero", ["name": "H\(number)", "strength": number]) }
        try stack.context.save()
        let store: RecordingStore = try Self.store(stack)
        let context = stack.newContext()
        stack.context.reset()
        store.log = []
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.predicate = NSPredicate(format: "strength > 2")
        request.sortDescriptors = [NSSortDescriptor(key: "strength", ascending: false)]
        request.fetchLimit = 3
        request.fetchOffset = 1
        let found = try context.fetch(request)
        #expect(store.log == ["fetch Hero strength > 2 limit 3 offset 1 objects"])
        #expect(found.map { $0.value(forKey: "strength") as? Int } == [8, 7, 6])
        store.log = []
        #expect(try context.count(for: request) == 3)
        request.resultType = .managedObjectIDResultType
        _ = try context.execute(request)
        #expect(
            store.log == [
                "fetch Hero strength > 2 limit 3 offset 1 count",
                "fetch Hero strength > 2 limit 3 offset 1 identifiers",
            ])
    }

    @Test("a save hands over inserted, changed and deleted objects with permanent identifiers (STO-05)")
    func savesReachTheStore() throws {
        let stack = try Self.stack(RecordingStore.self)
        let store: RecordingStore = try Self.store(stack)
        let (ann, bob) = (stack.context.insert("Hero", ["name": "Ann"]), stack.context.insert("Hero", ["name": "Bob"]))
        try stack.context.save()
        #expect(store.log == ["names 2", "save inserted 2 updated 0 deleted 0 locked 0"])
        ann.setValue("Anna", forKey: "name")
        stack.context.delete(bob)
        stack.context.insert("Power", ["name": "P", "hero": ann])
        store.log = []
        try stack.context.save()
        #expect(store.log == ["names 1", "save inserted 1 updated 1 deleted 1 locked 0"])
        stack.coordinator.setMetadata(["own": 1], for: stack.store)
        store.log = []
        try stack.context.save()
        #expect(store.log == ["save inserted nil"])
    }

    @Test("the store is notified of objects that come into contexts and leave them, once for each (STO-05)")
    func storeIsNotifiedOfObjectsThatComeIntoContextsAndLeaveThem() throws {
        let stack = try Self.stack(RecordingStore.self)
        let store: RecordingStore = try Self.store(stack)
        var heroes: [NSManagedObject]? = (0..<3).map { stack.context.insert("Hero", ["name": "H\($0)"]) }
        try stack.context.save()
        #expect(store.registered.values.sorted() == [1, 1, 1])
        let other = stack.newContext()
        var theirs: [NSManagedObject]? = try other.all("Hero")
        #expect(store.registered.values.sorted() == [2, 2, 2])
        heroes = nil
        stack.context.reset()
        #expect(theirs?.count == 3 && heroes == nil && store.registered.values.sorted() == [1, 1, 1])
        theirs = nil
        other.reset()
        #expect(store.registered.isEmpty)
    }

    // MARK: What goes wrong

    @Test("what a save throws is the save's error, and nothing is lost (STO-05, CTX-03)")
    func failedSave() throws {
        let stack = try Self.stack(RecordingStore.self)
        let store: RecordingStore = try Self.store(stack)
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        store.failure = CocoaError(.fileWriteOutOfSpace)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == CocoaError.fileWriteOutOfSpace.rawValue && hero.isInserted && stack.context.hasChanges)
        store.failure = nil
        try stack.context.save()
        #expect(try stack.newContext().all("Hero").map { $0.value(forKey: "name") as? String } == ["Ann"])
    }

    @Test("conflicts that the store meets go to the merge policy (STO-05, CTX-21)")
    func conflictsOfTheStore() throws {
        let stack = try Self.stack(RecordingStore.self)
        let store: RecordingStore = try Self.store(stack)
        let hero = stack.context.insert("Hero", ["name": "Ann", "strength": 1])
        try stack.context.save()
        // Somebody else writes, of which the store's coordinator knows nothing.
        store.book.records["Hero"]?["Hero/1"]?.attributes["strength"] = 5
        store.book.records["Hero"]?["Hero/1"]?.version = 17
        hero.setValue("Anna", forKey: "name")
        store.refusesVersions = true
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        let conflict = (error?.userInfo["conflictList"] as? [NSMergeConflict])?.first
        #expect(conflict?.sourceObject === hero && conflict?.newVersionNumber == 17)
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.context.save()
        #expect(store.book.records["Hero"]?["Hero/1"]?.attributes["strength"] as? Int == 5)
        #expect(hero.value(forKey: "strength") as? Int == 5 && hero.value(forKey: "name") as? String == "Anna")
    }

    @Test("a store's own values of saved records come into the objects (STO-05)")
    func valuesOfTheStore() throws {
        let stack = try Self.stack(RecordingStore.self)
        let store: RecordingStore = try Self.store(stack)
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        store.writesItself = ["strength": 9]
        try stack.context.save()
        #expect(hero.value(forKey: "strength") as? Int == 9 && !hero.hasChanges)
    }

    @Test("a fault whose record cannot be found is inaccessible; one that cannot be read stays a fault (STO-05)")
    func unreadableFaults() throws {
        let stack = try Self.stack(RecordingStore.self)
        let store: RecordingStore = try Self.store(stack)
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        stack.context.reset()
        let context = stack.newContext()
        let hero = try #require(try context.all("Hero").first)
        store.readingFailure = URLError(.notConnectedToInternet)
        #expect(hero.value(forKey: "name") as? String == nil)
        #expect(hero.isFault && !hero.isDeleted)
        store.readingFailure = nil
        #expect(hero.value(forKey: "name") as? String == "Ann")
        context.refresh(hero, mergeChanges: false)
        store.book.records = [:]
        #expect(hero.value(forKey: "name") as? String == nil && hero.isDeleted)
    }

    /// Mistakes of a subclass, each with a part of the error that names it.
    private static let mistakes: [(RecordingStore.Mistake, String)] = [
        (.text("a"), "answered a fetch of 'Hero' with a value of type"),
        (.null, "NSNull"), (.texts, "a value of type String"), (.temporary, "a temporary identifier"),
        (.otherEntity, "an identifier of entity 'Team'"), (.otherStore, "an identifier of another store"),
    ]

    @Test("wrong answers to a fetch give errors that name class and mistake (STO-05)", arguments: mistakes.indices)
    func wrongAnswers(index: Int) throws {
        let (mistake, part) = Self.mistakes[index]
        let stack = try Self.stack(RecordingStore.self)
        let other = try Self.stack(DictionaryStore.self)
        let foreign = other.context.insert("Hero")
        try other.context.save()
        let store: RecordingStore = try Self.store(stack)
        store.mistake = mistake
        store.foreign = foreign.objectID
        let error = #expect(throws: NSError.self) { try stack.context.all("Hero") }
        let text = error?.localizedDescription ?? ""
        #expect(error?.code == NSPersistentStoreOperationError)
        #expect(text.contains("RecordingStore") && text.contains(part), "\(text)")
    }

    @Test("wrong values of nodes give errors that name property and type, never the value (STO-05)")
    func wrongNodes() throws {
        let stack = try Self.stack(RecordingStore.self)
        let store: RecordingStore = try Self.store(stack)
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        let identifier = hero.objectID
        for (values, part) in [
            (["strength": "secret"], "'strength' of entity 'Hero'"), (["mentor": "secret"], "'mentor'"),
            (["name": 7], "'name' of entity 'Hero'"), (["strength": 1_000_000], "'strength'"),
        ] as [([String: Any], String)] {
            store.writesItself = values
            let context = stack.newContext()
            stack.context.reset()
            let error = #expect(throws: NSError.self) { try context.existingObject(with: identifier) }
            let text = error?.localizedDescription ?? ""
            #expect(text.contains(part) && !"\(error?.userInfo ?? [:])".contains("secret"), "\(text)")
        }
        // Keys that the model does not have are left out.
        store.writesItself = ["nmae": "x"]
        #expect(try stack.newContext().existingObject(with: identifier).value(forKey: "name") as? String == "Ann")
    }

    @Test("permanent identifiers of other objects fail the save (STO-05)")
    func wrongNames() throws {
        let stack = try Self.stack(RecordingStore.self)
        let store: RecordingStore = try Self.store(stack)
        stack.context.insert("Hero")
        stack.context.insert("Hero")
        for (names, part) in [
            (RecordingStore.Names.none, "0 permanent identifiers for 2 objects"), (.same, "the identifier of another"),
            (.temporary, "a temporary identifier"),
        ] {
            store.names = names
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            #expect(error?.localizedDescription.contains(part) == true, "\(error?.localizedDescription ?? "")")
        }
        store.names = .proper
        try stack.context.save()
        #expect(try stack.newContext().all("Hero").count == 2)
    }

    @Test("a class that overrides nothing, or says nothing of itself, is refused with what is missing (STO-05)")
    func missingMethods() throws {
        final class Empty: NSIncrementalStore, @unchecked Sendable {}
        final class Nameless: NSIncrementalStore, @unchecked Sendable { override func loadMetadata() throws {} }
        for (type, part) in [(Empty.self, "loadMetadata()"), (Nameless.self, "NSStoreUUIDKey")]
            as [(
                NSPersistentStore.Type, String
            )]
        {
            NSPersistentStoreCoordinator.registerStoreClass(type, forStoreType: "\(type)")
            let error = #expect(throws: NSError.self) {
                try HeroModel.stack(StoreKind(type: "\(type)", capabilities: []))
            }
            #expect(error?.localizedDescription.contains(part) == true, "\(error?.localizedDescription ?? "")")
        }
    }

    @Test("a batch request goes to a store that carries it out, and its answer comes back as the result (STO-05)")
    func batchRequests() throws {
        let stack = try Self.stack(RecordingStore.self)
        let store: RecordingStore = try Self.store(stack)
        let update = NSBatchUpdateRequest(entityName: "Hero")
        update.propertiesToUpdate = ["strength": 3]
        update.resultType = .updatedObjectsCountResultType
        store.batchAnswer = 4
        let result = try stack.context.execute(update) as? NSBatchUpdateResult
        #expect(result?.result as? Int == 4 && store.log == ["batch Hero"])
        store.batchAnswer = "four"
        let error = #expect(throws: NSError.self) { try stack.context.execute(update) }
        #expect(error?.localizedDescription.contains("RecordingStore") == true)
    }

    @Test("what has only rows to write, and what the store does not carry out, is refused (STO-05)")
    func whatHasOnlyRowsToWrite() throws {
        let stack = try Self.stack(RecordingStore.self)
        stack.context.insert("Hero")
        try stack.context.save()
        let update = NSBatchUpdateRequest(entityName: "Hero")
        update.propertiesToUpdate = ["strength": 3]
        let error = #expect(throws: NSError.self) { try stack.context.execute(update) }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    }
}
