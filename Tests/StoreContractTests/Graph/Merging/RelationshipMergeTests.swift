import CoreData
import StoreContract
import Testing

/// Relationships after a merge, with observers and undo managers about.
@Suite struct RelationshipMergeTests {
    @Test("a to-one that moved, and the to-many on both sides of it (CTX-18)", arguments: StoreKind.all)
    func toOneMoved(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let (ann, bob) = (try scene.mine.hero("Ann"), try scene.mine.hero("Bob"))
        let flight = try scene.mine.power("Flight")
        #expect(ann.powers == [flight] && bob.powers.isEmpty && flight.hero === ann)
        try scene.theirs.power("Flight").hero = try scene.theirs.hero("Bob")
        try scene.saveAndMerge()
        #expect(flight.hero === bob && bob.powers == [flight] && ann.powers.isEmpty)
        #expect(!scene.mine.hasChanges)
    }

    @Test("members added and removed here stay so beside those of the other (CTX-18, CTX-19)", arguments: StoreKind.all)
    func membersAddedAndRemovedHereStaySoBesideThose(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let (ann, flight) = (try scene.mine.hero("Ann"), try scene.mine.power("Flight"))
        let speed = Power(context: scene.mine)
        speed.name = "Speed"
        speed.hero = ann
        flight.hero = nil
        let theirs = Power(context: scene.theirs)
        theirs.name = "Strength"
        theirs.hero = try scene.theirs.hero("Ann")
        try scene.saveAndMerge()
        #expect(Set(ann.powers.compactMap(\.name)) == ["Speed", "Strength"])
        try scene.mine.save()
        let reader = scene.stack.newContext()
        let fresh = try reader.hero("Ann")
        #expect(Set(fresh.powers.compactMap(\.name)) == ["Speed", "Strength"])
    }

    @Test("many-to-many relationships are right on both sides (CTX-18)", arguments: StoreKind.all)
    func manyToMany(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let team = scene.mine.insert("Team", ["name": "A"])
        try scene.mine.save()
        let ann = try scene.mine.hero("Ann")
        #expect((ann.value(forKey: "teams") as? NSSet)?.count == 0)
        #expect((team.value(forKey: "members") as? NSSet)?.count == 0)
        let theirTeam = try #require(try scene.theirs.all("Team").first)
        theirTeam.setValue(NSSet(array: try [scene.theirs.hero("Ann"), scene.theirs.hero("Bob")]), forKey: "members")
        try scene.saveAndMerge()
        #expect((team.value(forKey: "members") as? NSSet)?.count == 2)
        #expect((ann.value(forKey: "teams") as? NSSet)?.contains(team) == true)
    }

    @Test(
        "the order of an ordered relationship comes along, and a deleted member goes (CTX-18)", arguments: StoreKind.all
    )
    func orderOfOrderedRelationshipComesAlong(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (mine, theirs) = (stack.newContext(), stack.newContext())
        let list = Playlist(context: mine)
        list.songList = ["A", "B", "C"].map { name in
            let song = Song(context: mine)
            song.setValue(name, forKey: "name")
            return song
        }
        try mine.save()
        func names() -> [String] { list.songList.compactMap { $0.value(forKey: "name") as? String } }
        let shown = list.mutableOrderedSetValue(forKey: "songs")
        #expect(names() == ["A", "B", "C"] && shown.count == 3)
        let other = try #require(try theirs.existingObject(with: list.objectID) as? Playlist)
        let board = NoticeBoard(.NSManagedObjectContextDidSave, of: theirs)
        other.songList = other.songList.reversed()
        try theirs.save()
        mine.mergeChanges(fromContextDidSave: try #require(board.all.first))
        #expect(names() == ["C", "B", "A"])
        #expect(shown.array.compactMap { ($0 as? Song)?.value(forKey: "name") as? String } == ["C", "B", "A"])
        theirs.delete(other.songList[1])
        try theirs.save()
        mine.mergeChanges(fromContextDidSave: board.all[1])
        #expect(names() == ["C", "A"] && shown.count == 2 && !mine.hasChanges)
    }

    @Test(
        "observers are notified of differences, once all objects have their new values (CTX-18)",
        arguments: StoreKind.all)
    func observersAreNotifiedOfDifferences(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let (ann, bob) = (try scene.mine.hero("Ann"), try scene.mine.hero("Bob"))
        let flight = try scene.mine.power("Flight")
        _ = (ann.powers, bob.powers)
        let (names, left, joined, owner) = (
            ann.listen("name"), ann.listen("powers"), bob.listen("powers"), flight.listen("hero")
        )
        try scene.theirs.power("Flight").hero = try scene.theirs.hero("Bob")
        try scene.saveAndMerge()
        #expect(names.heard.isEmpty)
        #expect(left.heard == ["powers {Flight}>{}"] && joined.heard == ["powers {}>{Flight}"])
        #expect(owner.heard == ["hero Ann>Bob"])
    }

    @Test("merging adds no undo step, and earlier local steps can still be undone (CTX-18)", arguments: StoreKind.all)
    func mergingAddsNoUndoStep(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let manager = UndoManager()
        scene.mine.undoManager = manager
        let (ann, bob) = (try scene.mine.hero("Ann"), try scene.mine.hero("Bob"))
        scene.mine.performAndWait { ann.name = "Mine" }
        scene.mine.performAndWait { bob.name = "Bert" }
        try scene.theirs.hero("Ann").strength = 40
        scene.theirs.delete(try scene.theirs.hero("Bob"))
        try scene.saveAndMerge()
        #expect(ann.strength == 40 && ann.name == "Mine" && bob.isDeleted)
        while manager.canUndo { scene.mine.undo() }
        #expect(ann.name == "Ann" && ann.strength == 40 && !scene.mine.hasChanges)
        #expect(bob.isDeleted && bob.name == "Bert")
        try scene.mine.save()
        #expect(bob.managedObjectContext == nil)
        #expect(try scene.stack.newContext().all("Hero").count == 1)
    }

    @Test(
        "an edit that was not yet notified is an event of its own, before the merge (CTX-18)", arguments: StoreKind.all)
    func twoEvents(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let (ann, bob) = (try scene.mine.hero("Ann"), try scene.mine.hero("Bob"))
        try scene.theirs.hero("Ann").strength = 40
        bob.strength = 7
        let board = NoticeBoard(.NSManagedObjectContextObjectsDidChange, of: scene.mine)
        try scene.saveAndMerge()
        #expect(board.keys == [["updated"], ["refreshed"]])
        #expect(board.objects(NSUpdatedObjectsKey) == [bob] && board.objects(NSRefreshedObjectsKey) == [ann])
    }
}
