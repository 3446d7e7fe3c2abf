import CoreData
import StoreContract
import TestBasics
import Testing

/// What may be asked on any thread while others work: identifiers, contexts, layouts, stores.
@Suite(.timeLimit(.minutes(20))) struct IdentityTests {
    @Test(
        "an identifier that is asked for while the object is saved is not the former one afterwards (CTX-30)",
        arguments: StoreKind.all)
    func identifierDuringSave(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let (current, saved, faults) = (Shared(), Tally(), Notes<String>())
        onThreads(4) { thread in
            guard thread == 0 else {
                while saved.value < 300 {
                    guard let hero = current.object else { continue }
                    let identifier = hero.objectID
                    if hero.managedObjectContext !== context { faults.add("another context") }
                    if identifier.isTemporaryID != (identifier.persistentStore == nil) {
                        faults.add("half an identifier")
                    }
                }
                return
            }
            context.performAndWait {
                for turn in 0..<300 {
                    let hero = context.insert("Hero", ["strength": turn])
                    current.object = hero
                    if (try? context.save()) == nil || hero.objectID.isTemporaryID { faults.add("still temporary") }
                    if context.registeredObject(for: hero.objectID) !== hero { faults.add("another object") }
                    saved.add()
                }
                current.object = nil
            }
        }
        #expect(faults.all == [])
    }

    /// An object that one thread hands to others.
    private final class Shared: @unchecked Sendable {
        private let lock = NSLock()
        private var shown: NSManagedObject?
        var object: NSManagedObject? {
            get { lock.withLock { shown } }
            set { lock.withLock { shown = newValue } }
        }
    }

    @Test("an object that comes back by an undo of its saved deletion has a temporary identifier again (CTX-30)")
    func identifierAfterReturn() throws {
        let context = try HeroModel.stack(.inMemory).context
        context.undoManager = UndoManager()
        let hero = try context.performAndWait {
            let hero = context.insert("Hero")
            try context.save()
            return Transfer(hero)
        }
        let saved = hero.value.objectID
        try context.performAndWait {
            context.delete(hero.value)
            try context.save()
        }
        #expect(hero.value.objectID == saved)
        context.performAndWait { context.undo() }
        #expect(hero.value.objectID.isTemporaryID && hero.value.managedObjectContext === context)
    }

    @Test("threads that use a fresh model at once share its layouts (MOD-01)")
    func layoutsOfAFreshModel() {
        for _ in 0..<100 {
            let meeting = Meeting(of: 2)
            let model = MeetingModel(HeroModel.make().entities, meeting)
            let made = Notes<ObjectIdentifier>()
            onThreads(2) { _ in
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
                let context = NSManagedObjectContext(.privateQueue)
                context.persistentStoreCoordinator = coordinator
                context.performAndWait { _ = context.insert("Hero", ["strength": 1]) }
                made.add(ObjectIdentifier(ModelLayout.of(model)))
            }
            #expect(meeting.tookPlace, "one thread was through before the other came")
            #expect(Set(made.all).count == 1)
            for entity in model.entities {
                #expect(EntityLayout.of(entity) === ModelLayout.of(model).layout(named: entity.name ?? ""))
            }
        }
    }

    /// A model whose first two readers, once it is frozen, wait for each other: both are making its layouts then.
    private final class MeetingModel: NSManagedObjectModel, @unchecked Sendable {
        private var meeting: Meeting?

        convenience init(_ entities: [NSEntityDescription], _ meeting: Meeting) {
            self.init()
            self.meeting = meeting
            self.entities = entities
        }

        override var entities: [NSEntityDescription] {
            get {
                if isFrozen { meeting?.attend() }
                return super.entities
            }
            set { super.entities = newValue }
        }
    }

    @Test("of two threads that have both found a store to be new, one adds it and the other is refused (STO-05)")
    func storeFoundNewByThreads() throws {
        NSPersistentStoreCoordinator.registerStoreClass(MeetingStore.self, forStoreType: MeetingStore.kind)
        defer { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: MeetingStore.kind) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HeroModel.make())
        try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
        let meeting = Meeting(of: 2)
        let codes = Notes<Int>()
        onThreads(2) { _ in
            do {
                try coordinator.addPersistentStore(
                    ofType: MeetingStore.kind, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"),
                    options: [MeetingStore.kind: meeting])
                codes.add(0)
            } catch { codes.add((error as NSError).code) }
        }
        #expect(meeting.tookPlace)
        #expect(codes.all.sorted() == [0, 134_081])
        #expect(coordinator.persistentStores.count == 2)
    }

    /// A store whose identifier, once it is loaded, is first given when somebody asks another such store for its own.
    private final class MeetingStore: NSPersistentStore, @unchecked Sendable {
        static let kind = "MeetingStore"
        private var isAwaited = false

        override var identifier: String! {
            get {
                if isAwaited {
                    isAwaited = false
                    (options?[Self.kind] as? Meeting)?.attend()
                }
                return "2E5B8A4C-6C4C-4A57-A9A8-3F0D8B1E7C11"
            }
            set {}
        }

        override func loadMetadata() { isAwaited = true }
    }

    @Test("of threads that add one store at once, one adds it and the others are refused")
    func storeAddedByThreads() throws {
        for _ in 0..<20 {
            let folder = try TemporaryFolder()
            let copy = folder.url.appendingPathComponent("Copy.sqlite")
            try NSPersistentStoreCoordinator(managedObjectModel: HeroModel.make())
                .addPersistentStore(type: .sqlite, at: copy)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HeroModel.make())
            let codes = Notes<Int>()
            onThreads(4) { _ in
                do {
                    try coordinator.addPersistentStore(type: .sqlite, at: copy)
                    codes.add(0)
                } catch { codes.add((error as NSError).code) }
            }
            #expect(codes.all.sorted() == [0, 134_081, 134_081, 134_081])
            #expect(coordinator.persistentStores.count == 1)
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                context.insert("Hero")
                try context.save()
            }
        }
    }
}
