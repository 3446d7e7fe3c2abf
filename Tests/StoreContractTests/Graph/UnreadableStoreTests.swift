import CoreData
import StoreContract
import Testing

/// Faults of a store that cannot be read for a while.
@Suite struct UnreadableStoreTests {
    /// A context with faults of Ann, her nemesis Bob, Cid, and Ann's two powers, whose rows nobody has in memory.
    private struct Scene {
        let stack: Stack
        let context: NSManagedObjectContext
        let layer: FailsReading
        let ann, bob, cid: Hero
        let flight, sight: Power

        init(_ kind: StoreKind) throws {
            stack = try HeroModel.stack(kind)
            let writer = stack.newContext()
            let names = ["Ann", "Bob", "Cid"].map { writer.insert("Hero", ["name": $0, "strength": 7]) }
            names[0].setValue(names[1], forKey: "nemesis")
            let powers = ["Flight", "Sight"].map { writer.insert("Power", ["name": $0, "hero": names[0], "level": 3]) }
            try writer.save()
            let ids = (names + powers).map(\.objectID)
            writer.reset()
            layer = try FailsReading.between(stack)
            let context = stack.newContext()
            let objects = ids.map { context.object(with: $0) }
            self.context = context
            context.dataErrorHandler = { _, _ in }
            ann = try #require(objects[0] as? Hero)
            bob = try #require(objects[1] as? Hero)
            cid = try #require(objects[2] as? Hero)
            flight = try #require(objects[3] as? Power)
            sight = try #require(objects[4] as? Power)
            layer.isFailing = true
        }

        func expectSaveFails(_ location: SourceLocation = #_sourceLocation) {
            let error = #expect(throws: NSError.self, sourceLocation: location) { try context.save() }
            #expect(error?.code == NSPersistentStoreTimeoutError, sourceLocation: location)
            #expect(context.hasChanges, sourceLocation: location)
        }

        /// What a context that knows no object reads.
        func stored(_ name: String) throws -> Hero {
            let fresh = stack.newContext()
            kept.append(fresh)
            return try #require(try fresh.all("Hero", NSPredicate(format: "name == %@", name)).first as? Hero)
        }

        private final class Kept { var contexts: [NSManagedObjectContext] = [] }
        private let contexts = Kept()
        private var kept: [NSManagedObjectContext] {
            get { contexts.contexts }
            nonmutating set { contexts.contexts = newValue }
        }
    }

    @Test(
        "an object that cannot be read stays a fault and is read at the next access (OBJ-26)", arguments: StoreKind.all)
    func unreadFaultStaysFault(kind: StoreKind) throws {
        let scene = try Scene(kind)
        var told: [(Int, NSManagedObject?)] = []
        scene.context.dataErrorHandler = { told.append((($0 as NSError).code, $1)) }
        #expect(scene.ann.name == nil && scene.ann.value(forKey: "strength") as? Int == nil)
        #expect(scene.ann.isFault && !scene.ann.isDeleted && !scene.ann.hasChanges)
        #expect(told.map(\.0) == [NSPersistentStoreTimeoutError, NSPersistentStoreTimeoutError])
        #expect(told.allSatisfy { $0.1 === scene.ann })
        scene.layer.isFailing = false
        #expect(scene.ann.name == "Ann" && scene.ann.strength == 7)
        #expect(!scene.ann.isFault && scene.ann.log == ["fetch"])
        scene.ann.strength = 8
        try scene.context.save()
        #expect(try scene.stored("Ann").strength == 8)
    }

    @Test("a relationship that cannot be read is read at the next access (OBJ-26)", arguments: StoreKind.all)
    func unreadRelationshipIsReadLater(kind: StoreKind) throws {
        let scene = try Scene(kind)
        scene.layer.isFailing = false
        _ = scene.ann.name
        scene.layer.isFailing = true
        #expect(scene.ann.powers.isEmpty && scene.ann.hasFault(forRelationshipNamed: "powers"))
        #expect(scene.flight.hero == nil)
        scene.layer.isFailing = false
        #expect(scene.ann.powers == [scene.flight, scene.sight])
        #expect(scene.flight.hero === scene.ann)
    }

    @Test(
        "A change to an object that cannot be read is saved once it can, beside its other values",
        arguments: StoreKind.all)
    func changeOfUnreadObject(kind: StoreKind) throws {
        let scene = try Scene(kind)
        scene.ann.strength = 9
        #expect(scene.ann.isUpdated)
        scene.expectSaveFails()
        scene.layer.isFailing = false
        try scene.context.save()
        #expect(scene.ann.name == "Ann" && scene.ann.strength == 9)
        let stored = try scene.stored("Ann")
        #expect(stored.strength == 9 && stored.powers.count == 2 && stored.nemesis?.name == "Bob")
    }

    @Test("A change to an object that cannot be read is forgotten with the others", arguments: StoreKind.all)
    func changeOfUnreadObjectIsRolledBack(kind: StoreKind) throws {
        let scene = try Scene(kind)
        scene.ann.strength = 9
        scene.context.rollback()
        scene.bob.strength = 9
        scene.context.refresh(scene.bob, mergeChanges: false)
        #expect(!scene.context.hasChanges)
        scene.layer.isFailing = false
        #expect(scene.ann.strength == 7 && scene.bob.strength == 7)
    }

    @Test(
        "A record that went while it could not be read is a conflict",
        .enabled(if: RuntimeShortcuts.areTaken, "the plain path reads every property by its key"),
        arguments: StoreKind.all)
    func changeOfRecordThatWent(kind: StoreKind) throws {
        let scene = try Scene(kind)
        scene.cid.strength = 9
        scene.layer.isFailing = false
        let other = scene.stack.newContext()
        other.delete(other.object(with: scene.cid.objectID))
        try other.save()
        let error = #expect(throws: NSError.self) { try scene.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        scene.context.rollback()
        #expect(scene.cid.name == nil && scene.cid.isDeleted)
    }

    @Test("An unread object that is given another partner leaves none with the former one", arguments: StoreKind.all)
    func partnerOfUnreadObject(kind: StoreKind) throws {
        let scene = try Scene(kind)
        scene.layer.isFailing = false
        _ = scene.bob.hunter
        FailsReading.forgetRows(of: scene.stack)
        scene.layer.isFailing = true
        scene.ann.nemesis = scene.cid
        scene.expectSaveFails()
        scene.layer.isFailing = false
        try scene.context.save()
        #expect(scene.bob.hunter == nil && scene.cid.hunter === scene.ann)
        #expect(try scene.stored("Bob").hunter == nil)
        #expect(try scene.stored("Ann").nemesis?.name == "Cid")
    }

    @Test("Members that could not be read are replaced once they can", arguments: StoreKind.all)
    func unreadMembersAreReplaced(kind: StoreKind) throws {
        let scene = try Scene(kind)
        scene.ann.powers = [scene.sight]
        scene.expectSaveFails()
        scene.layer.isFailing = false
        try scene.context.save()
        #expect(scene.ann.powers == [scene.sight] && scene.flight.hero == nil)
        #expect(Set(try scene.stored("Ann").powers.map(\.name)) == ["Sight"])
    }

    @Test("a deletion that cannot follow its rule is not saved before it can (CTX-09)", arguments: StoreKind.all)
    func deletionOfUnreadObject(kind: StoreKind) throws {
        let scene = try Scene(kind)
        scene.context.delete(scene.ann)
        scene.expectSaveFails()
        #expect(scene.ann.isDeleted)
        scene.layer.isFailing = false
        try scene.context.save()
        #expect(try scene.stack.newContext().all("Power").isEmpty)
        #expect(try scene.stack.newContext().all("Hero").count == 2)
        #expect(try scene.stored("Bob").hunter == nil)
    }

    @Test("A fault of a store that was removed is inaccessible for good", arguments: StoreKind.all)
    func faultOfRemovedStore(kind: StoreKind) throws {
        let scene = try Scene(kind)
        try scene.stack.coordinator.remove(scene.stack.store)
        #expect(scene.ann.name == nil && !scene.ann.isFault && scene.ann.isDeleted)
    }
}

extension Hero {
    fileprivate var hunter: Hero? { value(forKey: "hunter") as? Hero }
}
