import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@Suite("Copying stores to other places and kinds")
struct MigrateStoreTests {
    @Test("a copy at another place has equal content and own metadata, an identity of its own, and takes over (STO-27)")
    func anotherPlace() throws {
        let url = try SampleStore.make()
        let expected = try #require(Survey(url).contents)
        let opened = try Opened(url)
        opened.coordinator.setMetadata(["mine": "yes"], for: opened.store)
        let target = try Fixtures.temporaryFolder().appendingPathComponent("Copy.sqlite")
        let log = Notifications(opened.coordinator)
        let copy = try opened.coordinator.migratePersistentStore(opened.store, to: target, type: .sqlite)
        #expect(opened.coordinator.persistentStores == [copy])
        #expect(copy.identifier != opened.store.identifier)
        #expect(opened.coordinator.metadata(for: copy)["mine"] as? String == "yes")
        #expect(opened.store.persistentStoreCoordinator == nil)
        #expect(log.names == ["WillRemove", "DidChange"])
        let stores = log.last?[NSUUIDChangedPersistentStoresKey] as? [NSPersistentStore]
        #expect(stores == [opened.store, copy])
        #expect(try opened.fetch("Novel").count == 12)
        #expect(Survey(target).contents == expected)
        #expect(Survey(url).contents == expected, "the old file stays as it is")
        #expect(
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: target)["mine"] as? String
                == "yes")
    }

    @Test("keys with gaps, orders, links without inverse and references within a hierarchy are carried over (STO-27)")
    func keysWithGapsOrders() throws {
        let stack = try HeroModel.stack()
        let gone = (0..<3).map { _ in stack.context.insert("Hero") }
        try stack.context.save()
        gone.forEach(stack.context.delete)
        let zorro = stack.context.insert("SuperHero", ["name": "Zorro", "cape": true])
        let robin = stack.context.insert("Hero", ["name": "Robin"])
        robin.setValue(zorro, forKey: "mentor")
        robin.setValue(zorro, forKey: "nemesis")
        let team = stack.context.insert("Team", ["name": "T"])
        team.setValue(NSSet(array: [zorro, robin]), forKey: "members")
        let note = stack.context.insert("Note", ["text": "N"])
        note.setValue(robin, forKey: "subject")
        note.setValue(NSSet(array: [zorro]), forKey: "readers")
        try stack.context.save()
        let target = try Fixtures.temporaryFolder().appendingPathComponent("Copy.sqlite")
        try stack.coordinator.migratePersistentStore(stack.store, to: target, type: .sqlite)
        let context = stack.newContext()
        let heroes = try context.all("Hero", sortedBy: "name")
        #expect(heroes.map { $0.value(forKey: "name") as? String } == ["Robin", "Zorro"])
        #expect(heroes.map { $0.entity.name } == ["Hero", "SuperHero"])
        #expect(heroes[0].value(forKey: "mentor") as? NSManagedObject === heroes[1])
        #expect(heroes[0].value(forKey: "nemesis") as? NSManagedObject === heroes[1])
        let members = try context.all("Team")[0].value(forKey: "members") as? NSSet
        #expect(members == NSSet(array: heroes))
        let copied = try context.all("Note")[0]
        #expect(copied.value(forKey: "subject") as? NSManagedObject === heroes[0])
        #expect(copied.value(forKey: "readers") as? NSSet == NSSet(object: heroes[1]))
        context.insert("Hero", ["name": "Next"])
        try context.save()
    }

    @Test("large values get files of their own at the new place (STO-24, STO-27)")
    func largeValues() throws {
        let url = try DestroyTests.withLargeValue()
        let opened = try Opened(url)
        let target = try Fixtures.temporaryFolder().appendingPathComponent("Other.sqlite")
        try opened.coordinator.migratePersistentStore(opened.store, to: target, withType: NSSQLiteStoreType)
        #expect(DestroyTests.externalFiles(target).count == 1)
        #expect(try opened.fetch("Novel")[0].value(forKey: "cover") as? Data == Data(repeating: 7, count: 200_000))
        #expect(opened.reports.isEmpty)
        try opened.coordinator.migratePersistentStore(
            opened.coordinator.persistentStores[0], to: URL(fileURLWithPath: "/dev/null"), type: .sqlite)
        opened.context.reset()
        #expect(try opened.fetch("Novel")[0].value(forKey: "cover") as? Data == Data(repeating: 7, count: 200_000))
    }

    @Test("where there is a store, or none can be made, nothing changes (STO-27)", .timeLimit(.minutes(20)))
    func whereThereIsStore() throws {
        let (url, other) = try (SampleStore.make(), DestroyTests.withLargeValue())
        let expected = (Survey(url).contents, Survey(other).contents)
        let opened = try Opened(url)
        let folder = try Fixtures.temporaryFolder()
        let database = folder.appendingPathComponent("other.sqlite")
        try SampleStore.create(database, "CREATE TABLE notes (text)")
        let pipe = folder.appendingPathComponent("pipe")
        mkfifo(pipe.path, 0o644)
        for target in [url, other, folder, database, pipe, folder.appendingPathComponent("no/folder.sqlite")] {
            expectError(134070, comment: "\(target)") {
                try opened.coordinator.migratePersistentStore(opened.store, to: target, type: .sqlite)
            }
        }
        #expect(opened.coordinator.persistentStores == [opened.store])
        #expect(try opened.fetch("Novel").count == 12)
        #expect(Survey(url).contents == expected.0)
        #expect(Survey(other).contents == expected.1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["other.sqlite", "pipe"])
        let foreign = try Opened(other)
        let place = folder.appendingPathComponent("new.sqlite")
        #expect(
            code { try opened.coordinator.migratePersistentStore(foreign.store, to: place, type: .sqlite) } == 134_070)
        #expect(
            code { try opened.coordinator.migratePersistentStore(opened.store, to: place, withType: "None") } == 134_000
        )
    }

    @Test("a copy that is to be read only is (STO-27)", arguments: StoreKind.all)
    func readOnlyCopy(kind: StoreKind) throws {
        let stack = try HeroModel.stack()
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        let target = try Fixtures.temporaryFolder().appendingPathComponent("Copy.sqlite")
        let copy = try stack.coordinator.migratePersistentStore(
            stack.store, to: target, options: [NSReadOnlyPersistentStoreOption: true], withType: kind.type)
        #expect(copy.isReadOnly)
        let context = stack.newContext()
        #expect(try context.all("Hero").map { $0.value(forKey: "name") as? String } == ["Ann"])
        context.insert("Hero", ["name": "Bob"])
        #expect(code { try context.save() } == NSPersistentStoreSaveError)
        guard kind.capabilities.contains(.durable) else { return }
        let opened = try Stack(stack.model, url: target, kind: kind)
        #expect(!opened.store.isReadOnly)
        #expect(try opened.context.all("Hero").count == 1)
    }

    @Test("composites with elements in files of their own are copied both ways (STO-24, STO-27)")
    func compositeWithLargeElement() throws {
        let large = SampleStore.attribute("scan", .binaryDataAttributeType)
        large.allowsExternalBinaryDataStorage = true
        let page = NSCompositeAttributeDescription()
        page.name = "page"
        page.isOptional = true
        page.elements = [SampleStore.attribute("number", .integer32AttributeType), large]
        let model = NSManagedObjectModel()
        model.entities = [SampleStore.entity("Book", [page])]
        let stack = try Stack(model)
        let scan = Data(repeating: 9, count: 150_000)
        stack.context.insert("Book", ["page": ["number": 3, "scan": scan]])
        try stack.context.save()
        let folder = try Fixtures.temporaryFolder()
        for (name, kind) in [("A", StoreKind.sqlite), ("B", .inMemory), ("C", .sqlite)] {
            let url = folder.appendingPathComponent("\(name).sqlite")
            try stack.coordinator.migratePersistentStore(stack.store, to: url, withType: kind.type)
            let context = stack.newContext()
            let value = try #require(try context.all("Book").first?.value(forKey: "page") as? [String: Any])
            #expect(value["scan"] as? Data == scan && value["number"] as? Int == 3, "\(name)")
            #expect(DestroyTests.externalFiles(url).count == (kind.capabilities.contains(.durable) ? 1 : 0))
        }
    }

    @Test("a hundred thousand objects are copied in portions (STO-27)", .timeLimit(.minutes(20)))
    func manyObjects() throws {
        let stack = try HeroModel.stack()
        try stack.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) "
                + "INSERT INTO ZNODE (Z_PK, Z_ENT, Z_OPT, ZNUMBER) "
                + "SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Node'), 1, i * 2 FROM n")
        let target = try Fixtures.temporaryFolder().appendingPathComponent("Copy.sqlite")
        let before = Self.residentPages()
        try stack.coordinator.migratePersistentStore(stack.store, to: target, type: .sqlite)
        // Ten million bytes of keys and caches; the values alone would be several times as much as objects.
        #expect((Self.residentPages() - before) * 4096 < 64 << 20)
        #expect(try stack.integer("SELECT count(*) FROM ZNODE") == 100_000)
        #expect(try stack.integer("SELECT sum(ZNUMBER) FROM ZNODE") == 10_000_100_000)
    }

    private static func residentPages() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0
    }
}

/// The notifications that a coordinator posts.
final class Notifications {
    private(set) var names: [String] = []
    private(set) var last: [AnyHashable: Any]?
    private var tokens: [any NSObjectProtocol] = []

    init(_ coordinator: NSPersistentStoreCoordinator) {
        let noteRemoval: @Sendable (Notification) -> Void = { [unowned(unsafe) self] notification in
            // The object is the store, which still has its coordinator.
            guard let store = notification.object as? NSPersistentStore,
                store.persistentStoreCoordinator === coordinator, coordinator.persistentStores.contains(store)
            else { return }
            self.names.append("WillRemove")
        }
        tokens.append(
            NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: nil, queue: nil, using: noteRemoval))
        let known: [(NSNotification.Name, String)] = [
            (.NSPersistentStoreCoordinatorStoresWillChange, "WillChange"),
            (.NSPersistentStoreCoordinatorStoresDidChange, "DidChange"),
        ]
        for (name, short) in known {
            let note: @Sendable (Notification) -> Void = { [unowned(unsafe) self] notification in
                self.names.append(short)
                self.last = notification.userInfo
            }
            tokens.append(
                NotificationCenter.default.addObserver(forName: name, object: coordinator, queue: nil, using: note))
        }
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }
}

extension Notifications: @unchecked Sendable {}
