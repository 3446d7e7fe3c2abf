import CoreData
import StoreContract
import TestBasics
import Testing

/// Contexts, coordinators and objects of programs that do some things otherwise, as tests of applications often have them.
struct OverridingTests {
    private final class NotingContext: NSManagedObjectContext, @unchecked Sendable {
        var notes: [String] = []
        var failsToSave = false

        override func save() throws {
            notes.append("save")
            if failsToSave { throw CocoaError(.persistentStoreSave) }
            try super.save()
        }

        override func insert(_ object: NSManagedObject) {
            notes.append("insert")
            super.insert(object)
        }

        override func delete(_ object: NSManagedObject) {
            notes.append("delete")
            super.delete(object)
        }

        override func rollback() {
            notes.append("rollback")
            super.rollback()
        }

        override func reset() {
            notes.append("reset")
            super.reset()
        }

        override func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
            notes.append("refresh \(flag)")
            super.refresh(object, mergeChanges: flag)
        }

        override func object(with objectID: NSManagedObjectID) -> NSManagedObject {
            notes.append("object")
            return super.object(with: objectID)
        }

        override func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
            notes.append("existing")
            return try super.existingObject(with: objectID)
        }

        override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
            notes.append("execute")
            return try super.execute(request)
        }

        override func performAndWait(_ block: () -> Void) {
            notes.append("wait")
            super.performAndWait(block)
        }

        override func perform(_ block: @escaping () -> Void) {
            notes.append("perform")
            super.performAndWait(block)
        }

        override func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
            notes.append("identifiers \(objects.count)")
            try super.obtainPermanentIDs(for: objects)
        }

        override func mergeChanges(fromContextDidSave notification: Notification) {
            notes.append("merge")
            super.mergeChanges(fromContextDidSave: notification)
        }

        override func undo() { notes.append("undo") }

        override func redo() { notes.append("redo") }
    }

    private final class NotingCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
        nonisolated(unsafe) var requests: [NSPersistentStoreRequestType] = []

        override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
            requests.append(request.requestType)
            return try super.execute(request, with: context)
        }
    }

    @Test("a context of a program is asked before what it does is done (CTX-06)", arguments: StoreKind.all)
    func contextIsAsked(_ kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = NotingContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        #expect(try context.existingObject(with: hero.objectID).value(forKey: "name") as? String == "Ann")
        let own = context.object(with: hero.objectID)
        own.setValue("Bob", forKey: "name")
        context.failsToSave = true
        expectError(134030) { try context.save() }
        #expect(own.hasChanges)
        context.rollback()
        #expect(!own.hasChanges)
        context.refresh(own, mergeChanges: true)
        context.delete(own)
        context.performAndWait { context.notes.append("inside") }
        context.perform { context.notes.append("inside") }
        context.undo()
        context.redo()
        try context.obtainPermanentIDs(for: [])
        context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave))
        let loose = NSManagedObject(entity: own.entity, insertInto: nil)
        context.insert(loose)
        #expect(loose.managedObjectContext === context)
        context.reset()
        let expected = [
            "existing", "object", "save", "rollback", "refresh true", "delete", "wait", "inside", "perform", "inside",
            "undo", "redo", "identifiers 0", "merge", "insert", "reset",
        ]
        #expect(context.notes == expected)
    }

    @Test("a coordinator of a program sees the requests that contexts execute (FET-01)")
    func coordinatorIsAsked() throws {
        let coordinator = NotingCoordinator(managedObjectModel: HeroModel.make())
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NotingContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Hero")
        _ = try context.execute(request)
        #expect(coordinator.requests == [.fetchRequestType] && context.notes == ["execute"])
    }
}
