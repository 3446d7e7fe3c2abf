import CoreData
import CoreDataTestSupport
import SQLiteKit
import Testing

@Suite struct RelationshipTests {
    let stack: Stack
    var context: NSManagedObjectContext { stack.context }
    init() throws { stack = try HeroModel.stack() }

    private func hero(_ name: String, in context: NSManagedObjectContext? = nil) throws -> Hero {
        if let context {
            return try #require(try context.all("Hero").first { $0.value(forKey: "name") as? String == name } as? Hero)
        }
        return try #require(self.context.insert("Hero", ["name": name]) as? Hero)
    }

    @Test("REL-01: a to-one relationship is set, saved, fetched and set to nil")
    func toOneRoundTrips() throws {
        let ann = try hero("Ann")
        let power = Power(context: context)
        power.hero = ann
        #expect(ann.powers == [power])
        try context.save()
        #expect(try stack.rows("SELECT ZHERO FROM ZPOWER") == [[.integer(ann.objectID.key)]])
        let other = stack.newContext()
        let theirs = try #require(try other.all("Power").first as? Power)
        #expect(theirs.hero?.name == "Ann")
        theirs.hero = nil
        try other.save()
        #expect(try stack.rows("SELECT ZHERO FROM ZPOWER") == [[nil]])
        context.refreshAllObjects()
        #expect(ann.powers.isEmpty && power.hero == nil)
    }

    @Test("REL-02: a to-many value is a set without duplicates; adding twice changes nothing")
    func addingTwiceChangesNothing() throws {
        let ann = try hero("Ann")
        let power = Power(context: context)
        ann.powers = [power]
        try context.save()
        context.refreshAllObjects()
        ann.powers = [power]
        #expect(!context.hasChanges)
        power.hero = ann
        #expect(!context.hasChanges && ann.powers == [power])
    }

    @Test("REL-04: setting either side leaves the same state")
    func eitherSideGivesSameState() throws {
        let (one, two) = (try hero("One"), try hero("Two"))
        let powers = (0..<2).map { _ in Power(context: context) }
        one.powers = [powers[0]]
        powers[1].hero = two
        #expect(powers[0].hero === one && two.powers == [powers[1]])
        try context.save()
        #expect(try stack.rows("SELECT ZHERO FROM ZPOWER ORDER BY ZHERO").count == 2)
        #expect(try stack.integer("SELECT count(*) FROM ZPOWER WHERE ZHERO IS NULL") == 0)
    }

    @Test("REL-05, REL-13: re-parenting takes the member out of the former owner's set at once")
    func reparentingMovesMember() throws {
        let (one, two) = (try hero("One"), try hero("Two"))
        let power = Power(context: context)
        one.powers = [power]
        try context.save()
        for isLoaded in [true, false] {
            context.refreshAllObjects()
            if isLoaded { #expect(one.powers.count + two.powers.count == 1) }
            let (from, to) = power.hero === one ? (one, two) : (two, one)
            power.hero = to
            #expect(from.powers.isEmpty && to.powers == [power])
            try context.save()
            #expect(try stack.rows("SELECT ZHERO FROM ZPOWER") == [[.integer(to.objectID.key)]])
        }
        two.powers = [power]
        one.powers = [power]
        #expect(two.powers.isEmpty && power.hero === one)
    }

    @Test("REL-06: a second partner detaches the first on both sides")
    func secondPartnerDetachesFirst() throws {
        let (a, b, c) = (try hero("A"), try hero("B"), try hero("C"))
        a.nemesis = b
        #expect(b.value(forKey: "hunter") as? Hero === a)
        c.nemesis = b
        #expect(a.nemesis == nil && b.value(forKey: "hunter") as? Hero === c)
        c.nemesis = a
        #expect(b.value(forKey: "hunter") == nil && a.value(forKey: "hunter") as? Hero === c)
        try context.save()
        let other = stack.newContext()
        #expect(try hero("C", in: other).nemesis?.name == "A")
        #expect(try hero("A", in: other).nemesis == nil)
        #expect(try hero("A", in: other).value(forKeyPath: "hunter.name") as? String == "C")
    }

    @Test func objectCanBeItsOwnPartner() throws {
        let a = try hero("A")
        a.nemesis = a
        #expect(a.value(forKey: "hunter") as? Hero === a)
        try context.save()
        let other = stack.newContext()
        #expect(try hero("A", in: other).nemesis?.name == "A")
        context.delete(a)
        try context.save()
        #expect(try context.all("Hero").isEmpty)
    }

    @Test("REL-07: many-to-many lists both sides after reload, and loses pairs on both")
    func manyToManyRoundTrips() throws {
        let (a, b) = (try hero("A"), try hero("B"))
        let teams = (0..<3).map { context.insert("Team", ["name": "T\($0)"]) }
        a.setValue(NSSet(array: teams), forKey: "teams")
        teams[0].setValue(NSSet(array: [a, b]), forKey: "members")
        try context.save()
        let other = stack.newContext()
        let theirs = try hero("B", in: other)
        #expect((theirs.value(forKey: "teams") as? NSSet)?.count == 1)
        let team = try #require(try other.all("Team", sortedBy: "name").first)
        #expect(team.value(forKey: "members") as? NSSet == NSSet(array: [theirs, try hero("A", in: other)]))
        theirs.setValue(NSSet(), forKey: "teams")
        #expect((team.value(forKey: "members") as? NSSet)?.count == 1)
        other.delete(try hero("A", in: other))
        try other.save()
        context.refreshAllObjects()
        #expect((teams[0].value(forKey: "members") as? NSSet)?.count == 0)
        #expect(try stack.integer("SELECT count(*) FROM \(try joinTable())") == 0)
    }

    private func joinTable() throws -> String {
        try #require(try stack.rows("SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*'").first?.first?.text)
    }

    @Test("REL-08: a relationship to the own entity, also to a sub-entity, keeps a tree")
    func treeOfOneEntity() throws {
        let root = try hero("Root")
        let child = context.insert("SuperHero", ["name": "Child", "mentor": root, "cape": true])
        context.insert("Hero", ["name": "Leaf", "mentor": child])
        try context.save()
        let other = stack.newContext()
        let leaf = try hero("Leaf", in: other)
        #expect(leaf.value(forKeyPath: "mentor.mentor.name") as? String == "Root")
        #expect(leaf.value(forKeyPath: "mentor.cape") as? Bool == true)
        #expect((leaf.value(forKey: "mentor") as? NSManagedObject)?.entity.name == "SuperHero")
        #expect((try hero("Root", in: other).value(forKey: "students") as? NSSet)?.count == 1)
    }

    @Test("REL-09: a relationship to a parent entity gives each object in its own class")
    func relationshipToParentEntity() throws {
        let note = context.insert("Note")
        note.setValue(context.insert("SuperHero", ["name": "S", "cape": true]), forKey: "subject")
        let team = context.insert("Team")
        team.setValue(NSSet(array: [context.insert("SuperHero"), context.insert("Hero")]), forKey: "members")
        try context.save()
        let other = stack.newContext()
        let subject = try #require(try other.all("Note").first?.value(forKey: "subject") as? NSManagedObject)
        #expect(subject.entity.name == "SuperHero" && subject.value(forKey: "cape") as? Bool == true)
        let members = try #require(try other.all("Team").first?.value(forKey: "members") as? NSSet)
        #expect(Set(members.compactMap { ($0 as? NSManagedObject)?.entity.name }) == ["SuperHero", "Hero"])
    }

    @Test("REL-10: an ordered relationship is read in its order")
    func orderedRelationshipIsReadInOrder() throws {
        let draft = ModelDraft()
        draft.entity("List", ["name": .stringAttributeType])
        draft.entity("Item", ["name": .stringAttributeType])
        draft.relationships("List.items*!", "Item.list")
        let stack = try Stack(draft.model)
        let items = (0..<5).map { stack.context.insert("Item", ["name": "\($0)"]) }
        let list = stack.context.insert("List")
        list.setValue(NSOrderedSet(array: [3, 1, 4, 0, 2].map { items[$0] }), forKey: "items")
        try stack.context.save()
        func names(_ list: NSManagedObject) -> [String?] {
            (list.value(forKey: "items") as? NSOrderedSet)?.array.map {
                ($0 as? NSManagedObject)?.value(forKey: "name") as? String
            } ?? []
        }
        #expect(names(list) == ["3", "1", "4", "0", "2"])
        let other = try stack.another()
        #expect(names(try #require(try other.context.all("List").first)) == ["3", "1", "4", "0", "2"])
    }

    @Test("REL-12: a one-way reference is written, and reads as gone after its target's deletion")
    func oneWayReferenceToDeletedTarget() throws {
        let ann = try hero("Ann")
        let note = context.insert("Note", ["subject": ann])
        note.setValue(NSSet(array: [ann, try hero("Bob")]), forKey: "readers")
        try context.save()
        let other = stack.newContext()
        let theirs = try #require(try other.all("Note").first)
        #expect(theirs.value(forKeyPath: "subject.name") as? String == "Ann")
        #expect((theirs.value(forKey: "readers") as? NSSet)?.count == 2)
        context.delete(ann)
        try context.save()
        let third = stack.newContext()
        var reported = 0
        third.dataErrorHandler = { _, _ in reported += 1 }
        let late = try #require(try third.all("Note").first)
        #expect((late.value(forKey: "subject") as? NSManagedObject)?.value(forKey: "name") == nil)
        #expect(reported == 1)
        #expect((late.value(forKey: "readers") as? NSSet)?.count == 1)
    }

    @Test func referenceToObjectThatWasNeverSavedIsNil() throws {
        let ann = try hero("Ann")
        let note = context.insert("Note", ["subject": ann])
        note.setValue(NSSet(array: [ann]), forKey: "readers")
        context.delete(ann)
        try context.save()
        #expect(try stack.rows("SELECT ZSUBJECT FROM ZNOTE") == [[nil]])
    }

    @Test func objectWithoutContextJoinsThatOfItsRelation() throws {
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Power", in: context))
        let loose = Power(entity: entity, insertInto: nil)
        let ann = try hero("Ann")
        loose.hero = ann
        #expect(loose.isInserted && loose.managedObjectContext === context && ann.powers == [loose])
        try context.save()
        #expect(try stack.integer("SELECT count(*) FROM ZPOWER WHERE ZHERO = 1") == 1)
    }

    @Test("REL-14: one change of a large set loads no member and sends few statements")
    func oneChangeOfLargeSetIsSmall() throws {
        let ann = try hero("Ann")
        ann.powers = Set((0..<3_000).map { _ in Power(context: context) })
        try context.save()
        let other = stack.newContext()
        let request = NSFetchRequest<Power>(entityName: "Power")
        request.fetchLimit = 1
        let power = try #require(try other.fetch(request).first)
        power.hero = nil
        try stack.expectStatements(4) { try other.save() }
        #expect(other.registeredObjects == [power])
    }

    // MARK: Delete rules

    @Test("REL-15: nullify sets the other side to nil at once after the event")
    func nullifyClearsOtherSide() throws {
        let team = context.insert("Team")
        let ann = try hero("Ann")
        team.setValue(NSSet(array: [ann]), forKey: "members")
        let power = Power(context: context)
        power.hero = ann
        try context.save()
        context.delete(power)
        context.processPendingChanges()
        #expect(ann.powers.isEmpty)
        context.delete(team)
        try context.save()
        #expect((ann.value(forKey: "teams") as? NSSet)?.count == 0)
    }

    @Test("REL-16: cascade deletes the whole tree, objects never loaded included")
    func cascadeDeletesTree() throws {
        let ann = try hero("Ann")
        ann.powers = [Power(context: context), Power(context: context)]
        try context.save()
        let other = stack.newContext()
        other.delete(try hero("Ann", in: other))
        try other.save()
        #expect(try stack.integer("SELECT count(*) FROM ZPOWER") == 0)
        #expect(try stack.integer("SELECT count(*) FROM ZHERO") == 0)
    }

    @Test("HAZ-23: a chain of 100,000 is deleted without overflow", .timeLimit(.minutes(1)))
    func longChainCascades() throws {
        var former: NSManagedObject?
        var first: NSManagedObject?
        for number in 0..<100_000 {
            let node = context.insert("Node", ["number": number, "previous": former])
            first = first ?? node
            former = node
        }
        try context.save()
        let head = try #require(first)
        first = nil
        former = nil
        context.delete(head)
        context.processPendingChanges()
        #expect(context.deletedObjects.count == 100_000)
        try context.save()
        #expect(try stack.integer("SELECT count(*) FROM ZNODE") == 0)
    }

    @Test("REL-17: deny fails the save with 1600 by key, and passes once nothing is left")
    func denyFailsSave() throws {
        let base = context.insert("Base", ["name": "B"])
        let team = context.insert("Team", ["base": base])
        try context.save()
        context.delete(base)
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "teams")
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === base)
        #expect(try stack.integer("SELECT count(*) FROM ZBASE") == 1)
        context.delete(team)
        try context.save()
        #expect(try stack.integer("SELECT count(*) FROM ZBASE") == 0)
    }

    @Test("REL-19: an unsaved, deleted object is gone from its owner's set without a save")
    func unsavedDeletedObjectLeavesSet() throws {
        let ann = try hero("Ann")
        let power = Power(context: context)
        power.hero = ann
        context.delete(power)
        context.processPendingChanges()
        #expect(ann.powers.isEmpty)
        try context.save()
        #expect(try stack.integer("SELECT count(*) FROM ZPOWER") == 0)
    }
}
