import CoreData
import SQLiteKit
import StoreContract
import Synchronization
import TestBasics
import Testing

@testable import CoreDataSQLite

@Suite("Stores of a coordinator")
struct CoordinatorTests {
    @Test("each object lands in the store of its configuration, and a fetch spans stores (STO-08, STO-09)")
    func eachObjectLandsInStoreOfItsConfiguration() throws {
        let builder = ModelBuilder()
        builder.entity("Song", ["title": .stringAttributeType])
        builder.entity("Visit", ["title": .stringAttributeType])
        builder.model.setEntities([builder["Song"]], forConfigurationName: "Songs")
        builder.model.setEntities([builder["Visit"]], forConfigurationName: "Visits")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: builder.model)
        let folder = try Fixtures.temporaryFolder()
        let stores = try ["Songs", "Visits"].map { (name: String) in
            try coordinator.addPersistentStore(
                type: .sqlite, configuration: name, at: folder.appendingPathComponent("\(name).sqlite"))
        }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let song = context.insert("Song", ["title": "S"])
        let visit = context.insert("Visit", ["title": "V"])
        try context.save()
        #expect(song.objectID.persistentStore === stores[0])
        #expect(visit.objectID.persistentStore === stores[1])
        #expect(try context.all("Song").count == 1 && context.all("Visit").count == 1)
        #expect(
            code {
                _ = try coordinator.addPersistentStore(
                    type: .sqlite, configuration: "Nothing", at: folder.appendingPathComponent("n.sqlite"))
            } == NSPersistentStoreOpenError)
        try coordinator.remove(stores[1])
        context.insert("Visit")
        #expect(code { try context.save() } == NSPersistentStoreSaveError, "no store keeps visits any more")
    }

    @Test("the same store is not added twice, by whatever path (STO-10)")
    func sameStoreTwice() throws {
        let url = try SampleStore.make()
        let opened = try Opened(url)
        let link = url.deletingLastPathComponent().appendingPathComponent("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        for place in [url, link] {
            let error = #expect(throws: NSError.self) {
                try opened.coordinator.addPersistentStore(type: .sqlite, at: place)
            }
            #expect(error?.code == 134_081)
            #expect(error?.localizedFailureReason == "Can't add the same store twice")
        }
        #expect(try opened.fetch("Novel").count == 12)
    }

    @Test("a store goes on where its file was moved to, and nowhere else (STO-27)")
    func storeGoesOnWhereItsFileWasMoved() throws {
        let url = try SampleStore.make()
        let opened = try Opened(url)
        let novel = try opened.fetch("Novel")[0]
        let other = try SampleStore.make()
        #expect(opened.coordinator.persistentStore(for: url) === opened.store)
        #expect(opened.coordinator.persistentStore(for: other) == nil)
        #expect(!opened.coordinator.setURL(other, for: opened.store), "another store")
        let target = try Fixtures.temporaryFolder().appendingPathComponent("Moved.sqlite")
        #expect(!opened.coordinator.setURL(target, for: opened.store), "nothing there")
        #expect(opened.coordinator.url(for: opened.store) == url)
        try FileManager.default.moveItem(at: url, to: target)
        for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: url.path + suffix) {
            try FileManager.default.moveItem(atPath: url.path + suffix, toPath: target.path + suffix)
        }
        #expect(opened.coordinator.setURL(target, for: opened.store))
        #expect(opened.coordinator.url(for: opened.store) == target)
        novel.setValue("Moved", forKey: "title")
        try opened.context.save()
        #expect(Survey(target).contents?.contains { $0.contains("title=Moved") } == true)
    }

    @Test("Observers are notified of removed stores while they can still be read, and of added ones")
    func observersAreNotifiedOfRemovedStoresWhileReadable() throws {
        let url = try SampleStore.make()
        let opened = try Opened(url)
        let log = Notifications(opened.coordinator)
        try opened.coordinator.remove(opened.store)
        #expect(log.names == ["WillRemove", "DidChange"])
        #expect(log.last?[NSRemovedPersistentStoresKey] as? [NSPersistentStore] == [opened.store])
        #expect(code { try opened.coordinator.remove(opened.store) } == NSPersistentStoreOperationError)
        let added = try opened.coordinator.addPersistentStore(type: .sqlite, at: url)
        #expect(log.names.count == 3)
        #expect(log.last?[NSAddedPersistentStoresKey] as? [NSPersistentStore] == [added])
    }

    @Test(
        "An identifier's URI is taken in its one form only",
        arguments: ["p05", "p+5", "p5/", "p5?a", "p5#a", "p0", "p-1", "5", "P5", "p", "p99999999999999999999"])
    func strictIdentifiers(reference: String) throws {
        let stack = try HeroModel.stack()
        let id = stack.store.identifier ?? ""
        let uri = try #require(URL(string: "x-coredata://\(id)/Hero/\(reference)"))
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == nil)
    }

    @Test("Identifiers come back from their URIs, also in another coordinator; unknown stores and entities give nil")
    func identifiersComeBackFromTheirURIs() throws {
        let stack = try HeroModel.stack()
        let hero = stack.context.insert("Hero", ["name": "A"])
        let temporary = hero.objectID
        #expect(temporary.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Hero/t"))
        let found = stack.coordinator.managedObjectID(forURIRepresentation: temporary.uriRepresentation())
        #expect(found == temporary && found?.isTemporaryID == true)
        let later = try #require(URL(string: temporary.uriRepresentation().absoluteString + "999999"))
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: later) == nil)
        try stack.context.save()
        let uri = hero.objectID.uriRepresentation()
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == hero.objectID)
        let other = try stack.another()
        let copy = try #require(other.coordinator.managedObjectID(forURIRepresentation: uri))
        #expect(try other.context.existingObject(with: copy).value(forKey: "name") as? String == "A")
        let lower = try #require(
            URL(
                string: uri.absoluteString.replacingOccurrences(
                    of: stack.store.identifier ?? "", with: (stack.store.identifier ?? "").lowercased())))
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: lower) == hero.objectID)
        for text in [
            "x-coredata://\(UUID().uuidString)/Hero/p1",
            uri.absoluteString.replacingOccurrences(of: "Hero", with: "hero"),
            "https://\(stack.store.identifier ?? "")/Hero/p1", "x-coredata://\(stack.store.identifier ?? "")//Hero/p1",
        ] {
            let uri = try #require(URL(string: text))
            #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == nil, "\(text)")
        }
    }

    @Test("A coordinator executes fetches for its own contexts")
    func coordinatorExecutesFetchesForItsOwnContexts() throws {
        let stack = try HeroModel.stack()
        stack.context.insert("Hero", ["name": "A"])
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        let objects = try stack.coordinator.execute(request, with: stack.context) as? [NSManagedObject]
        #expect(objects?.count == 1)
        request.resultType = .countResultType
        #expect(try stack.coordinator.execute(request, with: stack.context) as? [NSNumber] == [1])
        #expect(code { _ = try stack.coordinator.execute(NSPersistentStoreRequest(), with: stack.context) } == 134_091)
        let other = try HeroModel.stack()
        #expect(code { _ = try stack.coordinator.execute(request, with: other.context) } == NSCoreDataError)
    }

    @Test("a fetch before any store is added is empty; an attached store is announced and then read (CTX-35)")
    func storeAttachedLater() throws {
        let url = try SampleStore.make()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        #expect(try context.all("Novel").isEmpty)
        #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Novel")) == 0)
        let log = Notifications(coordinator)
        try coordinator.addPersistentStore(type: .sqlite, at: url)
        #expect(log.names == ["DidChange"])
        #expect(try context.all("Novel").count == 12)
    }

    @Test("a released coordinator closes its stores once they are unused (STO-08)")
    func closingInUse() throws {
        let folder = try Fixtures.temporaryFolder()
        let model = HeroModel.make()
        let coordinator = Mutex<NSPersistentStoreCoordinator?>(NSPersistentStoreCoordinator(managedObjectModel: model))
        let store = try #require(
            try coordinator.withLock {
                try $0?.addPersistentStore(
                    type: .sqlite, configuration: nil, at: folder.appendingPathComponent("InUse.sqlite"))
            })
        // Who watches or trims a store keeps it, and not its coordinator.
        store.serialized {
            let isReleasing = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                isReleasing.signal()
                coordinator.withLock { $0 = nil }
            }
            isReleasing.wait()
            Thread.sleep(forTimeInterval: 0.2)
            #expect(store.objects != nil, "it was closed under who used it")
        }
        eventually("the store to be closed") { store.objects == nil }
    }
}
