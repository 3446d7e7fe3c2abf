import CoreData
import StoreContract
import Testing

/// What `Captured.swift` shows, at run time.
@Suite(.timeLimit(.minutes(20))) struct CapturedTests {
    private static func container() -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Captured", managedObjectModel: HeroModel.make())
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        return container
    }

    private static var everything: NSFetchRequest<NSManagedObject> { NSFetchRequest(entityName: "Hero") }

    @MainActor @Test("objects and requests go into the view context's blocks, objects come out (CTX-29)")
    func onTheMainActor() async throws {
        let container = Self.container()
        let hero = container.viewContext.insert("Hero", ["name": "Ann"])
        try container.viewContext.save()
        let list = CapturingList(container)
        try await list.reload(Self.everything)
        #expect(list.heroes == [hero, hero])
        await list.rename(hero, to: "Bea")
        #expect(hero.value(forKey: "name") as? String == "Bea")
        list.renameAtOnce(hero, to: "Cid")
        #expect(hero.value(forKey: "name") as? String == "Cid")
        list.renameLater(hero, to: "Dan")
        list.clearLater()
        await container.viewContext.perform(schedule: .enqueued) {}
        #expect(hero.value(forKey: "name") as? String == "Dan" && list.heroes.isEmpty)
        // A block that is written on the main actor runs on the queue of the background context all the same.
        try await list.count(Self.everything)
        #expect(list.total == 1)
    }

    @Test("a class that captures itself, requests and predicates in blocks of all kinds (CTX-29)")
    func withoutIsolation() async throws {
        let container = Self.container()
        let importer = CapturingImporter(container)
        let (found, counts) = (Notes<Int>(), Notes<Int>())
        importer.importLater(["Ann", "Bea"], matching: NSPredicate(format: "name BEGINSWITH 'B'")) {
            found.add($0.count)
        }
        #expect(try await importer.heroes(named: "Ann").count == 1)
        #expect(found.all == [1])
        await withCheckedContinuation { next in
            importer.countLater(Self.everything) {
                counts.add($0)
                next.resume()
            }
        }
        await withCheckedContinuation { next in
            importer.onTheCoordinator {
                counts.add($0)
                next.resume()
            }
        }
        // Nothing was saved: a context of its own finds none; two were imported and one block counted.
        #expect(counts.all == [0, 3])
        #expect(await importer.stores().count == 1)
    }

    @Test("an actor takes objects out of a block and hands them into the next (CTX-29)")
    func inAnActor() async throws {
        let container = Self.container()
        try await container.performBackgroundTask { context in
            context.insert("Hero", ["name": "Ann"])
            try context.save()
        }
        #expect(try await CapturingActor(container).names() == ["Ann"])
    }
}
