import CoreData
import StoreContract
import TestBasics
import Testing

/// Objects of contexts go on under the store to which theirs has been moved.
@Suite("Objects of a store that is moved")
struct ContinuedObjectTests {
    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Hero", ["name": .stringAttributeType, "photo": .binaryDataAttributeType])
        builder.entity("Power", ["name": .stringAttributeType])
        builder.relationships("Hero.powers*", "Power.hero")
        builder.attribute("Hero.photo").allowsExternalBinaryDataStorage = true
        return builder.model
    }

    private static let targets: [StoreKind] = [.sqlite, .inMemory]

    @Test("fetched, changed, new and deleted objects go on under the new store (STO-27)", arguments: targets)
    func objectsGoOn(target: StoreKind) throws {
        let stack = try Stack(Self.model())
        let context = stack.context
        let big = Data(repeating: 9, count: 300_000)
        try context.performAndWait {
            let heroes = ["Ann", "Bob", "Cid", "Dee"].map { context.insert("Hero", ["name": $0, "photo": big]) }
            context.insert("Power", ["name": "flight", "hero": heroes[0]])
            try context.save()
            heroes[1].setValue("Bill", forKey: "name")
            // A row of a version beyond the first.
            try context.save()
            context.refresh(heroes[3], mergeChanges: false)
            heroes[1].setValue("Ben", forKey: "name")
            context.delete(heroes[2])
            let new = context.insert("Hero", ["name": "Eve"])
            let former = heroes[0].objectID
            let folder = try TemporaryFolder()
            let copy = try stack.coordinator.migratePersistentStore(
                stack.coordinator.persistentStores[0], to: folder.url.appendingPathComponent("New.sqlite"),
                withType: target.type)
            #expect(heroes[0].value(forKey: "name") as? String == "Ann")
            #expect(heroes[0].value(forKey: "photo") as? Data == big)
            #expect(heroes[3].value(forKey: "name") as? String == "Dee")
            #expect(heroes[1].value(forKey: "name") as? String == "Ben" && heroes[1].hasChanges)
            #expect((heroes[0].value(forKey: "powers") as? NSSet)?.count == 1)
            #expect(heroes[0].objectID.persistentStore === copy && heroes[0].objectID != former)
            #expect(context.object(with: former) === heroes[0])
            let found = try context.all("Hero", sortedBy: "name")
            #expect(found.count == 4 && found.contains { $0 === heroes[0] })
            heroes[0].setValue("Anna", forKey: "name")
            try context.save()
            #expect(new.objectID.persistentStore === copy)
            let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            fresh.persistentStoreCoordinator = stack.coordinator
            let names = try fresh.performAndWait {
                try fresh.all("Hero", sortedBy: "name").map { $0.value(forKey: "name") as? String }
            }
            #expect(names == ["Anna", "Ben", "Dee", "Eve"])
        }
    }

    private static let pairs = StoreKind.all.flatMap { from in StoreKind.all.map { (from, $0) } }

    @Test("objects follow between stores of every two kinds, under whatever keys (STO-27)", arguments: pairs)
    func everyPairOfKinds(from: StoreKind, to: StoreKind) throws {
        let stack = try Stack(Self.model(), kind: from)
        let (context, folder) = (stack.context, try TemporaryFolder())
        try context.performAndWait { try moveChangedObjects(stack, context, folder, to) }
    }

    private func moveChangedObjects(
        _ stack: Stack, _ context: NSManagedObjectContext, _ folder: TemporaryFolder, _ to: StoreKind
    ) throws {
        let heroes = ["Ann", "Bob", "Cid"].map { context.insert("Hero", ["name": $0]) }
        try context.save()
        let powers = ["flight", "speed"].map { context.insert("Power", ["name": $0, "hero": heroes[0]]) }
        try context.save()
        _ = powers.map { $0.value(forKey: "hero") }
        heroes[1].setValue("Bill", forKey: "name")
        powers[1].setValue(heroes[1], forKey: "hero")
        context.delete(heroes[2])
        let new = context.insert("Power", ["name": "sight", "hero": heroes[0]])
        context.assign(new, to: stack.coordinator.persistentStores[0])
        let copy = try stack.coordinator.migratePersistentStore(
            stack.coordinator.persistentStores[0], to: folder.url.appendingPathComponent("New.store"),
            withType: to.type)
        for object in heroes + powers { #expect(object.objectID.persistentStore === copy) }
        #expect(heroes[0].value(forKey: "name") as? String == "Ann")
        #expect(powers[0].value(forKey: "name") as? String == "flight")
        #expect(powers[0].value(forKey: "hero") as? NSManagedObject === heroes[0])
        #expect(heroes[0].value(forKey: "powers") as? NSSet == NSSet(array: [powers[0], new]))
        #expect(heroes[1].value(forKey: "powers") as? NSSet == NSSet(array: [powers[1]]))
        #expect(heroes[1].hasChanges && heroes[2].isDeleted && !heroes[0].isDeleted)
        #expect(try context.all("Power", sortedBy: "name") == [powers[0], new, powers[1]])
        try context.save()
        #expect(new.objectID.persistentStore === copy)
        let fresh = stack.newContext()
        let found = try fresh.all("Power", sortedBy: "name").map { power in
            let hero = power.value(forKey: "hero") as? NSManagedObject
            return [power, hero].map { $0?.value(forKey: "name") as? String ?? "" }
        }
        #expect(found == [["flight", "Ann"], ["sight", "Ann"], ["speed", "Bill"]])
        #expect(try fresh.all("Hero").count == 2)
    }

    @Test("a second move takes the objects along too, and the former stores may go (STO-27)")
    func movedTwice() throws {
        let stack = try Stack(Self.model())
        let context = stack.context
        let folder = try TemporaryFolder()
        try context.performAndWait {
            let hero = context.insert("Hero", ["name": "Ann"])
            try context.save()
            for name in ["One.sqlite", "Two.sqlite"] {
                try autoreleasepool {
                    _ = try stack.coordinator.migratePersistentStore(
                        stack.coordinator.persistentStores[0], to: folder.url.appendingPathComponent(name),
                        type: .sqlite)
                }
                hero.setValue(name, forKey: "name")
                try context.save()
                context.refresh(hero, mergeChanges: false)
                #expect(hero.value(forKey: "name") as? String == name)
                #expect(hero.objectID.persistentStore?.url?.lastPathComponent == name)
            }
        }
    }

    @Test(
        "objects of a context on another queue, of a child and of its child go on with their large values (STO-27)",
        arguments: targets)
    func otherContexts(target: StoreKind) throws {
        let family = try MovedFamily(Self.model())
        let folder = try TemporaryFolder()
        try family.stack.coordinator.migratePersistentStore(
            family.stack.coordinator.persistentStores[0], to: folder.url.appendingPathComponent("New.sqlite"),
            withType: target.type)
        try family.expectPhotosAndSave()
    }

    @Test("a child that moves the store in a block of its own goes on at once (STO-27)", arguments: targets)
    func movedByChild(target: StoreKind) throws {
        let family = try MovedFamily(Self.model())
        let folder = try TemporaryFolder()
        try family.child.performAndWait {
            try family.stack.coordinator.migratePersistentStore(
                family.stack.coordinator.persistentStores[0], to: folder.url.appendingPathComponent("New.sqlite"),
                withType: target.type)
            #expect(family.renamed.value(forKey: "photo") as? Data == MovedFamily.photo)
        }
        try family.expectPhotosAndSave()
    }

    /// A context with an object of a large value, a child that renamed it, and a child of that which has it unchanged.
    private struct MovedFamily {
        static let photo = Data(repeating: 9, count: 300_000)

        let stack: Stack
        let child, grandchild: NSManagedObjectContext
        let renamed, unchanged: NSManagedObject

        init(_ model: NSManagedObjectModel) throws {
            let stack = try Stack(model)
            let context = stack.context
            let identifier = try context.performAndWait {
                let hero = context.insert("Hero", ["name": "Ann", "photo": Self.photo])
                try context.save()
                context.refresh(hero, mergeChanges: false)
                return hero.objectID
            }
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            let grandchild = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            grandchild.parent = child
            (self.stack, self.child, self.grandchild) = (stack, child, grandchild)
            renamed = try child.performAndWait {
                let renamed = try child.existingObject(with: identifier)
                renamed.setValue("Anna", forKey: "name")
                return renamed
            }
            unchanged = try grandchild.performAndWait { try grandchild.existingObject(with: identifier) }
        }

        func expectPhotosAndSave() throws {
            grandchild.performAndWait {
                #expect(unchanged.value(forKey: "photo") as? Data == Self.photo)
                #expect(unchanged.value(forKey: "name") as? String == "Anna")
            }
            try child.performAndWait {
                #expect(renamed.value(forKey: "photo") as? Data == Self.photo && renamed.hasChanges)
                try child.save()
            }
            try stack.context.performAndWait { try stack.context.save() }
            let saved = try #require(try stack.newContext().all("Hero").first)
            #expect(saved.value(forKey: "name") as? String == "Anna")
            #expect(saved.value(forKey: "photo") as? Data == Self.photo)
        }
    }
}
