import CoreData
import StoreContract
import Testing

/// Refreshing objects, and what it keeps.
@Suite struct RefreshTests {
    /// A saved diary with pages and marks in a context, and another context with the same one.
    private struct Scene {
        let stack: Stack
        let other: NSManagedObjectContext
        let mine, theirs: Diary

        init(_ kind: StoreKind) throws {
            stack = try Stack(DiaryModel.make(), kind: kind)
            let writer = stack.newContext()
            let ann = try writer.diary("Ann")
            for name in ["One", "Two"] { _ = try writer.diary(name, in: ann) }
            ann.setValue(NSOrderedSet(array: try ["A", "B", "C"].map { try writer.diary($0) }), forKey: "marks")
            try writer.save()
            other = stack.newContext()
            mine = try stack.context.found("Ann")
            theirs = try other.found("Ann")
            _ = (mine.names("pages"), mine.names("marks"), mine.value(forKey: "name"))
        }
    }

    @Test("merging keeps changes of values, and takes the other side's (OBJ-17)", arguments: StoreKind.all)
    func mergeKeepsValues(kind: StoreKind) throws {
        let scene = try Scene(kind)
        scene.mine.setValue("mine", forKey: "mood")
        scene.theirs.setValuesForKeys(["mood": "theirs", "name": "Anne"])
        try scene.other.save()
        scene.stack.context.refresh(scene.mine, mergeChanges: true)
        #expect(scene.mine.value(forKey: "name") as? String == "Anne")
        #expect(scene.mine.value(forKey: "mood") as? String == "mine")
        #expect(scene.mine.changedValues().keys.sorted() == ["mood"] && scene.mine.isUpdated)
        try scene.stack.context.save()
        #expect(try scene.stack.newContext().found("Anne").value(forKey: "mood") as? String == "mine")
    }

    @Test("merging keeps members added and removed here beside those of the store (OBJ-17)", arguments: StoreKind.all)
    func mergeKeepsMembers(kind: StoreKind) throws {
        let scene = try Scene(kind)
        let context = scene.stack.context
        _ = try context.diary("Mine", in: scene.mine)
        try context.found("One").setValue(nil, forKey: "book")
        _ = try scene.other.diary("Theirs", in: scene.theirs)
        try scene.other.save()
        context.refresh(scene.mine, mergeChanges: true)
        #expect(scene.mine.names("pages") == ["Mine", "Theirs", "Two"])
        try context.save()
        let fresh = scene.stack.newContext()
        #expect(try fresh.found("Ann").names("pages") == ["Mine", "Theirs", "Two"])
    }

    @Test("merging takes the order of the store, unless it was changed here (OBJ-17)", arguments: StoreKind.all)
    func mergeKeepsOrder(kind: StoreKind) throws {
        let scene = try Scene(kind)
        let context = scene.stack.context
        let marks = { (diary: Diary) in (diary.value(forKey: "marks") as? NSOrderedSet)?.array ?? [] }
        scene.theirs.setValue(NSOrderedSet(array: marks(scene.theirs).reversed()), forKey: "marks")
        try scene.other.save()
        context.refresh(scene.mine, mergeChanges: true)
        #expect(scene.mine.names("marks") == ["C", "B", "A"])
        let swapped = marks(scene.mine)
        scene.mine.setValue(NSOrderedSet(array: [swapped[1], swapped[0], swapped[2]]), forKey: "marks")
        context.refresh(scene.mine, mergeChanges: true)
        #expect(scene.mine.names("marks") == ["B", "C", "A"] && scene.mine.hasChanges)
        context.refresh(scene.mine, mergeChanges: false)
        #expect(scene.mine.names("marks") == ["C", "B", "A"] && !context.hasChanges)
    }

    @Test("transient values stay when merged and go with the fault (OBJ-16, OBJ-17)", arguments: StoreKind.all)
    func transientValues(kind: StoreKind) throws {
        let scene = try Scene(kind)
        let context = scene.stack.context
        scene.mine.setValue("thought", forKey: "draft")
        try context.save()
        context.refresh(scene.mine, mergeChanges: true)
        #expect(scene.mine.value(forKey: "draft") as? String == "thought")
        scene.mine.setValue("second", forKey: "draft")
        context.refresh(scene.mine, mergeChanges: true)
        #expect(scene.mine.value(forKey: "draft") as? String == "second")
        context.refresh(scene.mine, mergeChanges: false)
        #expect(scene.mine.value(forKey: "draft") == nil)
    }

    @Test("merging leaves new objects as they are, and deleted ones come back (OBJ-16)", arguments: StoreKind.all)
    func insertedAndDeleted(kind: StoreKind) throws {
        let scene = try Scene(kind)
        let context = scene.stack.context
        let new = try context.diary("New")
        context.refresh(new, mergeChanges: true)
        #expect(new.isInserted && !new.isFault && new.value(forKey: "name") as? String == "New")
        context.delete(scene.mine)
        context.refresh(scene.mine, mergeChanges: false)
        #expect(!scene.mine.isDeleted && scene.mine.isFault)
        try context.save()
        #expect(try scene.stack.newContext().all("Diary").count == 7)
    }

    /// A test of CoreDataPlus (`test_FaultAndMaterialize`) does so on Apple's framework, and reads the object afterwards.
    @Test(
        "a new object that is refreshed without merging is a fault with default values (OBJ-16)",
        arguments: StoreKind.all)
    func insertedBecomesFault(kind: StoreKind) throws {
        let builder = ModelBuilder()
        let text = NSAttributeType.stringAttributeType
        builder.entity("User", ["name": text, "place": text, "mood": text])
        builder.entity("Post", ["title": text])
        builder.attribute("User.place").defaultValue = "Nowhere"
        builder.attribute("User.mood").isTransient = true
        builder.attribute("User.mood").defaultValue = "calm"
        builder.relationships("User.posts*", "Post.author")
        let stack = try Stack(builder.model, kind: kind)
        let context = stack.context
        for isPermanent in [false, true] {
            let user = context.insert("User", ["name": "Ann", "place": "Here", "mood": "wild"])
            let post = context.insert("Post", ["title": "a", "author": user])
            if isPermanent { try context.obtainPermanentIDs(for: [user]) }
            let identifier = user.objectID
            let board = NoticeBoard(.NSManagedObjectContextObjectsDidChange, of: context)
            context.processPendingChanges()
            for _ in 0..<2 {
                context.refresh(user, mergeChanges: false)
                #expect(user.isFault && user.isInserted && context.insertedObjects.contains(user))
                #expect(user.objectID === identifier && user.managedObjectContext === context)
                #expect(user.value(forKey: "name") == nil && user.value(forKey: "place") as? String == "Nowhere")
                #expect(user.value(forKey: "mood") as? String == "calm" && !user.isFault)
            }
            context.processPendingChanges()
            #expect(board.objects(NSRefreshedObjectsKey) == [user])
            #expect(post.value(forKey: "author") == nil && (user.value(forKey: "posts") as? NSSet)?.count == 0)
            user.setValue(isPermanent ? "Cid" : "Bob", forKey: "name")
            if isPermanent { post.setValue(user, forKey: "author") }
        }
        let last = context.insert("User", ["name": "Dan"])
        context.refresh(last, mergeChanges: false)
        try context.save()
        #expect(!context.hasChanges && last.value(forKey: "place") as? String == "Nowhere")
        let reader = stack.newContext()
        let users = try reader.all("User", sortedBy: "name")
        #expect(users.map { $0.value(forKey: "name") as? String } == [nil, "Bob", "Cid"])
        #expect(users.map { $0.value(forKey: "place") as? String } == ["Nowhere", "Nowhere", "Nowhere"])
        #expect(users.map { ($0.value(forKey: "posts") as? NSSet)?.count } == [0, 0, 1])
    }

    @Test("what a refresh takes from a new object an undo gives back (OBJ-16)", arguments: StoreKind.all)
    func insertedRefreshUndone(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        context.undoManager = UndoManager()
        let hero = context.insert("Hero", ["name": "Ann", "strength": 3])
        let power = context.insert("Power", ["name": "Flight", "hero": hero])
        context.endEvent()
        context.event { context.refresh(hero, mergeChanges: false) }
        #expect(hero.isFault && power.value(forKey: "hero") == nil)
        context.undo()
        #expect(hero.value(forKey: "name") as? String == "Ann" && hero.value(forKey: "strength") as? Int == 3)
        #expect(power.value(forKey: "hero") as? NSManagedObject === hero)
        context.redo()
        #expect(hero.value(forKey: "name") as? String == "Untitled Hero" && power.value(forKey: "hero") == nil)
        #expect(hero.isInserted)
        try context.save()
        #expect(try stack.newContext().all("Hero").first?.value(forKey: "name") as? String == "Untitled Hero")
    }

    @Test("an object that was deleted elsewhere is noticed when refreshed (OBJ-16, OBJ-26)", arguments: StoreKind.all)
    func deletedElsewhere(kind: StoreKind) throws {
        for flag in [true, false] {
            let scene = try Scene(kind)
            scene.stack.context.dataErrorHandler = { _, _ in }
            scene.other.delete(scene.theirs)
            try scene.other.save()
            #expect(scene.mine.value(forKey: "name") as? String == "Ann")
            scene.stack.context.refresh(scene.mine, mergeChanges: flag)
            #expect(scene.mine.isFault && !scene.mine.isDeleted)
            #expect(scene.mine.value(forKey: "name") == nil && scene.mine.isDeleted)
        }
        let scene = try Scene(kind)
        scene.mine.setValue("mine", forKey: "mood")
        scene.other.delete(scene.theirs)
        try scene.other.save()
        scene.stack.context.refresh(scene.mine, mergeChanges: true)
        #expect(scene.mine.value(forKey: "mood") as? String == "mine")
        let error = #expect(throws: NSError.self) { try scene.stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
    }

    @Test(
        "refreshing all objects frees those that are not retained, and keeps changes (OBJ-29)", arguments: StoreKind.all
    )
    func refreshingAllObjectsFreesThoseNotRetained(kind: StoreKind) throws {
        let scene = try Scene(kind)
        let context = scene.stack.context
        weak var page: NSManagedObject?
        page = (scene.mine.value(forKey: "pages") as? NSSet)?.anyObject() as? NSManagedObject
        _ = page?.value(forKey: "book")
        let kept = try context.found("A")
        kept.setValue("mine", forKey: "mood")
        #expect(page != nil && context.registeredObjects.count > 4)
        context.refreshAllObjects()
        context.processPendingChanges()
        #expect(page == nil && scene.mine.isFault && !kept.isFault)
        #expect(context.registeredObjects == [scene.mine, kept])
        #expect(kept.value(forKey: "mood") as? String == "mine" && context.updatedObjects == [kept])
        #expect(scene.mine.names("pages") == ["One", "Two"])
    }

    @Test("what holds each other in a circle goes when one of them is refreshed (OBJ-29)", arguments: StoreKind.all)
    func whatHoldsEachOtherInCircleGoesWhenOneOfThemIsRefreshed(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        weak var probe: NSManagedObject?
        do {
            let ann = stack.context.insert("Hero", ["name": "Ann"])
            let power = stack.context.insert("Power", ["hero": ann])
            try stack.context.save()
            _ = (ann.value(forKey: "powers"), power.value(forKey: "hero"))
            probe = ann
        }
        #expect(probe != nil)
        do {
            let ann = try #require(probe)
            stack.context.refresh(ann, mergeChanges: false)
            stack.context.processPendingChanges()
        }
        #expect(probe == nil && stack.context.registeredObjects.isEmpty)
    }

    @Test(
        "a context that begins to retain its objects retains those that it has already (OBJ-29)",
        arguments: StoreKind.all)
    func contextThatBeginsToRetainObjectsRetainsPresentOnes(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        weak var hero: NSManagedObject?
        do {
            hero = stack.context.insert("Hero", ["name": "Ann"])
            stack.context.retainsRegisteredObjects = true
            try stack.context.save()
        }
        #expect(hero != nil)
        do {
            let deleted = try #require(hero)
            stack.context.delete(deleted)
            try stack.context.save()
        }
        #expect(hero == nil)
        do { hero = stack.context.insert("Hero", ["name": "Bob"]) }
        try stack.context.save()
        #expect(hero != nil)
        stack.context.reset()
        #expect(hero == nil)
    }

    @Test(
        "100,000 objects that were fetched and let go leave nothing behind (OBJ-29)", arguments: StoreKind.forScaleTests
    )
    func manyObjects(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["number": .integer64AttributeType])
        let stack = try Stack(builder.model, kind: kind)
        let writer = stack.newContext()
        for number in 0..<100_000 { writer.insert("Item", ["number": number]) }
        try writer.save()
        do {
            let items = try stack.context.all("Item")
            #expect(items.count == 100_000 && stack.context.registeredObjects.count == 100_000)
            #expect(items.reduce(0) { $0 + ($1.value(forKey: "number") as? Int ?? 0) } == 4_999_950_000)
        }
        #expect(stack.context.registeredObjects.isEmpty && writer.registeredObjects.isEmpty)
        if kind.type == NSSQLiteStoreType { #expect(stack.store.rowCache.count == 0) }
    }
}

extension NSManagedObject {
    /// The names of related objects: in their order, or sorted where they have none.
    func names(_ key: String) -> [String] {
        let ordered = value(forKey: key) as? NSOrderedSet
        let objects = ordered?.array ?? (value(forKey: key) as? NSSet)?.allObjects ?? []
        let names = objects.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
        return ordered == nil ? names.sorted() : names
    }
}
