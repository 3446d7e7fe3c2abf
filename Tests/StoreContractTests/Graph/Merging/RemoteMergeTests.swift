import CoreData
import StoreContract
import TestBasics
import Testing

/// Merging what was saved through another coordinator, or by somebody who posts no notification.
@Suite struct RemoteMergeTests {
    private static let shared = StoreKind.all.filter { $0.capabilities.contains(.shared) }

    @Test("a save through another coordinator on the file is read again (CTX-18)", arguments: shared)
    func otherCoordinator(kind: StoreKind) throws {
        let (here, there) = try Self.pair(kind)
        let (ann, bob) = (try here.context.hero("Ann"), try here.context.hero("Bob"))
        bob.strength = 7
        let board = NoticeBoard(.NSManagedObjectContextDidSave, of: there.context)
        let other = try there.context.hero("Ann")
        other.name = "Anne"
        try there.context.power("Flight").hero = try there.context.hero("Bob")
        there.context.insert("Hero", ["name": "Cid"])
        try there.context.save()
        let changes = NoticeBoard(.NSManagedObjectContextObjectsDidChange, of: here.context)
        here.context.processPendingChanges()
        here.context.mergeChanges(fromContextDidSave: try #require(board.all.first))
        #expect(ann.name == "Anne" && bob.strength == 7 && bob.powers.count == 1)
        let cid = try #require(changes.objects(NSInsertedObjectsKey).first)
        #expect(cid.value(forKey: "name") as? String == "Cid")
        #expect(cid.objectID.persistentStore === here.store)
        there.context.delete(other)
        try there.context.save()
        here.context.mergeChanges(fromContextDidSave: board.all[1])
        #expect(ann.isDeleted)
        #expect(here.context.deletedObjects == [ann])
        try here.context.save()
        #expect(ann.managedObjectContext == nil)
    }

    @Test(
        "identifiers, URIs and objects, in sets and arrays, are merged into several contexts (CTX-36)",
        arguments: shared)
    func remoteSave(kind: StoreKind) throws {
        let (here, there) = try Self.pair(kind)
        let second = here.newContext()
        let contexts = [here.context, second]
        let heroes = try contexts.map { (ann: try $0.hero("Ann"), bob: try $0.hero("Bob")) }
        let (ann, bob) = (try there.context.hero("Ann"), try there.context.hero("Bob"))
        ann.name = "Anne"
        let cid = there.context.insert("SuperHero", ["name": "Cid"])
        there.context.delete(bob)
        try there.context.save()
        let board = NoticeBoard(.NSManagedObjectContextObjectsDidChange, of: second)
        // A URI may name the parent of the record's entity.
        let address = cid.objectID.uriRepresentation().absoluteString.replacingOccurrences(
            of: "SuperHero", with: "Hero")
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSUpdatedObjectsKey: [
                    heroes[0].ann.objectID.uriRepresentation(), URL(fileURLWithPath: "/tmp"), 5, "x",
                ],
                NSDeletedObjectIDsKey: Set([heroes[0].bob.objectID]), "other": [1],
                NSInsertedObjectsKey: NSSet(array: [try #require(URL(string: address))]),
            ], into: contexts)
        for (ann, bob) in heroes { #expect(ann.name == "Anne" && bob.isDeleted) }
        let arrival = try #require(board.objects(NSInsertedObjectsKey).first)
        #expect(arrival.entity.name == "SuperHero" && arrival.value(forKey: "name") as? String == "Cid")
        ann.name = "Anna"
        try there.context.save()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: [ann]], into: contexts)
        #expect(heroes.allSatisfy { $0.ann.name == "Anna" })
    }

    @Test(
        "a module writes, another watches, and they share nothing but the file (CTX-34)",
        arguments: shared)
    func libraryWrites(kind: StoreKind) throws {
        let (app, library) = try Self.pair(kind)
        var list = try app.context.all("Hero", nil, sortedBy: "name").compactMap {
            $0.value(forKey: "name") as? String
        }
        let (watching, written) = (app.context, library.coordinator)
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSaveObjectIDs, object: nil, queue: nil
        ) { notification in
            guard
                (notification.object as? NSManagedObjectContext)?.persistentStoreCoordinator
                    === written
            else { return }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: notification.userInfo ?? [:], into: [watching])
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let board = NoticeBoard(.NSManagedObjectContextObjectsDidChange, of: app.context)
        try library.context.hero("Bob").name = "Bert"
        library.context.insert("Hero", ["name": "Cid"])
        try library.context.save()
        #expect(board.all.count == 1)
        list = try app.context.all("Hero", nil, sortedBy: "name").compactMap {
            $0.value(forKey: "name") as? String
        }
        #expect(list == ["Ann", "Bert", "Cid"])
    }

    @Test(
        "nothing is found before a store is attached, and its attachment is notified (CTX-35)",
        arguments: StoreKind.all)
    func storeAttachedLater(kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HeroModel.make())
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        #expect(try context.all("Hero").isEmpty)
        let board = NoticeBoard(.NSPersistentStoreCoordinatorStoresDidChange, of: coordinator)
        let store = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil,
            at: folder.url.appendingPathComponent("Later.sqlite"))
        #expect(
            (board.all.first?.userInfo?[NSAddedPersistentStoresKey] as? [NSPersistentStore]) == [store])
        context.insert("Hero", ["name": "Ann"])
        try context.save()
        #expect(try context.all("Hero").count == 1)
    }

    @Test("a save to two stores is merged from both (STO-08, CTX-18)", arguments: StoreKind.all)
    func severalStores(kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HeroModel.make())
        let stores = try (0..<2).map {
            try coordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil,
                at: folder.url.appendingPathComponent("\($0).sqlite"))
        }
        let (mine, theirs) = (
            NSManagedObjectContext(.privateQueue), NSManagedObjectContext(.privateQueue)
        )
        for context in [mine, theirs] { context.persistentStoreCoordinator = coordinator }
        let heroes = ["Ann", "Bob"].map { theirs.insert("Hero", ["name": $0]) }
        for (hero, store) in zip(heroes, stores) { theirs.assign(hero, to: store) }
        let board = NoticeBoard(.NSManagedObjectContextDidSaveObjectIDs, of: theirs)
        try theirs.save()
        #expect(board.identifiers(NSInsertedObjectIDsKey).compactMap(\.persistentStore).count == 2)
        // The first record of each store has the same key.
        #expect(heroes[0].objectID != heroes[1].objectID)
        let (ann, bob) = (try mine.hero("Ann"), try mine.hero("Bob"))
        heroes[1].setValue("Bert", forKey: "name")
        try theirs.save()
        mine.mergeChanges(fromContextDidSave: board.all[1])
        #expect(ann.name == "Ann" && bob.name == "Bert")
    }

    /// Two coordinators on one file with heroes.
    private static func pair(_ kind: StoreKind) throws -> (here: Stack, there: Stack) {
        let scene = try MergeScene(kind)
        return (scene.stack, try scene.stack.another())
    }
}
