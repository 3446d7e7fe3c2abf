import CoreData
import StoreContract
import Testing

@Suite struct SaveTests {
    private func saved(_ context: NSManagedObjectContext, _ name: String = "Ann") throws -> Hero {
        let hero = try #require(context.insert("Hero", ["name": name, "strength": 1]) as? Hero)
        try context.save()
        return hero
    }

    @Test("order of calls and contents of notifications (OBJ-23, CTX-17)", arguments: StoreKind.all)
    func callsAndNotificationsInOrder(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let (updated, deleted) = (try saved(context, "U"), try saved(context, "D"))
        let inserted = try #require(context.insert("Hero", ["name": "I"]) as? Hero)
        updated.strength = 5
        context.delete(deleted)
        for hero in [updated, deleted, inserted] { hero.log = [] }
        final class Log: @unchecked Sendable {
            var names: [String] = []
            var sets: [[AnyHashable: Any]] = []
        }
        let log = Log()
        let names: [NSNotification.Name] = [
            .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave, .NSManagedObjectContextObjectsDidChange,
        ]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { note in
                log.names.append(note.name.rawValue)
                log.sets.append(note.userInfo ?? [:])
            }
        }
        defer { observers.forEach(NotificationCenter.default.removeObserver) }
        try context.save()
        #expect(
            log.names == [
                "NSObjectsChangedInManagingContextNotification", "NSManagingContextWillSaveChangesNotification",
                "NSManagingContextDidSaveChangesNotification",
            ])
        for set in [log.sets[0], log.sets[2]] {
            #expect(set[NSInsertedObjectsKey] as? Set<NSManagedObject> == [inserted])
            #expect(set[NSUpdatedObjectsKey] as? Set<NSManagedObject> == [updated])
            #expect(set[NSDeletedObjectsKey] as? Set<NSManagedObject> == [deleted])
        }
        for hero in [updated, deleted, inserted] { #expect(hero.log.prefix(2) == ["willSave", "didSave"]) }
    }

    @Test("a refreshed object is named as refreshed (CTX-17)", arguments: StoreKind.all)
    func refreshIsAnnounced(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let hero = try saved(context)
        nonisolated(unsafe) var refreshed: Set<NSManagedObject>?
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { refreshed = $0.userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject> }
        defer { NotificationCenter.default.removeObserver(observer) }
        context.refresh(hero, mergeChanges: false)
        context.processPendingChanges()
        #expect(refreshed == [hero])
    }

    @Test("what willSave changes is saved, also on objects that were unchanged (OBJ-23)", arguments: StoreKind.all)
    func changesInWillSaveAreSaved(kind: StoreKind) throws {
        ChainSaver.register()
        let builder = ModelBuilder()
        builder.entity("Saver", class: "ChainSaver", ["count": .integer64AttributeType])
        builder.relationship("Saver.next", to: "Saver")
        let stack = try Stack(builder.model, kind: kind)
        let second = stack.context.insert("Saver")
        let first = stack.context.insert("Saver", ["next": second])
        try stack.context.save()
        first.setValue(1, forKey: "count")
        try stack.context.save()
        #expect(second.value(forKey: "count") as? Int == 101)
        #expect(try stack.newContext().all("Saver", NSPredicate(format: "count == 101")).count == 1)
        #expect(!stack.context.hasChanges)
    }

    @Test("rollback gives values, insertions and deletions back (CTX-15)", arguments: StoreKind.all)
    func rollbackRestores(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let (hero, second) = (try saved(context, "Ann"), try saved(context, "Bob"))
        let power = Power(context: context)
        try context.save()
        let new = context.insert("Hero")
        hero.name = "X"
        power.hero = hero
        context.delete(second)
        hero.log = []
        context.rollback()
        #expect(hero.name == "Ann" && hero.powers.isEmpty && power.hero == nil)
        #expect(!second.isDeleted && !context.hasChanges && new.managedObjectContext == nil)
        #expect(hero.log.contains("snapshot \(NSSnapshotEventType.rollback.rawValue)"))
        #expect(try context.all("Hero").count == 2)
        try context.save()
    }
}

/// Adds a hundred to the next one's count whenever it is saved with a count of its own.
final class ChainSaver: NSManagedObject {
    static func register() { ObjectClassResolver.register(ChainSaver.self, named: "ChainSaver") }
    override func willSave() {
        guard let next = primitiveValue(forKey: "next") as? NSManagedObject,
            let count = primitiveValue(forKey: "count") as? Int, next.value(forKey: "count") as? Int != count + 100
        else { return }
        next.setValue(count + 100, forKey: "count")
    }
}
