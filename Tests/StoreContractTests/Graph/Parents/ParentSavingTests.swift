import CoreData
import StoreContract
import TestBasics
import Testing

@Suite struct ParentSavingTests {
    @Test(
        "a child saves into its parent, and the store changes with the parent's save (CTX-07)", arguments: StoreKind.all
    )
    func childSavesIntoParentOnly(kind: StoreKind) throws {
        let family = try Family(kind)
        let (parent, child) = (family.parent, family.child())
        let old = try parent.make("old", ["weight": 1.0, "picture": Data(count: 200_000)])
        let doomed = try parent.make("doomed")
        try parent.save()

        let copy = try child.have("old")
        copy.name = "changed"
        child.delete(try child.have("doomed"))
        let new = try child.make("new", ["count": 5, "picture": Data([9])])
        new.setValue(copy, forKey: "parent")
        new.mutableSetValue(forKey: "tags").add(copy)
        copy.mutableOrderedSetValue(forKey: "path").addObjects(from: [new, copy])
        #expect(try parent.names() == ["doomed", "old"] && !parent.hasChanges)
        try child.save()

        #expect(!child.hasChanges && !new.isInserted && new.objectID.isTemporaryID && copy.name == "changed")
        #expect(old.name == "changed" && old.isUpdated && doomed.isDeleted && parent.hasChanges)
        let here = try parent.have("new")
        #expect(here.isInserted && here.objectID == new.objectID && here !== new && here.insertions == 0)
        #expect(here.count == 5 && here.value(forKey: "picture") as? Data == Data([9]))
        #expect(here.one("parent") === old && old.set("children") == [here] && here.set("tags") == [old])
        #expect(old.list("path") == [here, old])
        #expect((old.value(forKey: "picture") as? Data)?.count == 200_000)
        #expect(try family.stack.newContext().names() == ["doomed", "old"])

        try parent.save()
        let stored = family.stack.newContext()
        #expect(try stored.names() == ["changed", "new"])
        #expect(try stored.have("changed").list("path").compactMap(\.name) == ["new", "changed"])
        #expect(try stored.have("new").one("parent")?.name == "changed")
    }

    @Test("identifiers become permanent in all descendants (CTX-07)", arguments: StoreKind.all)
    func identifiersReachDescendants(kind: StoreKind) throws {
        let family = try Family(kind)
        let child = family.child()
        let grandchild = family.child(of: child)
        let new = try grandchild.make("new")
        let other = try grandchild.make("other")
        new.setValue(other, forKey: "link")
        try grandchild.save()
        let early = new.objectID
        #expect(early.isTemporaryID)
        try child.save()
        try family.parent.save()
        family.settle(child, grandchild)
        #expect(!new.objectID.isTemporaryID && new.objectID != early)
        #expect(grandchild.registeredObject(for: new.objectID) === new)
        #expect(new.objectID == (try family.parent.have("new").objectID))
        #expect(new.objectID == (try child.have("new").objectID))
        new.name = "renamed"
        grandchild.refresh(other, mergeChanges: false)
        #expect(new.one("link") === other && other.name == "other")
        try grandchild.save()
        try child.save()
        try family.parent.save()
        let stored = family.stack.newContext()
        #expect(try stored.have("renamed").one("link")?.name == "other" && stored.names() == ["other", "renamed"])
    }

    @Test("permanent identifiers obtained in a child stay the objects' (CTX-07)", arguments: StoreKind.all)
    func obtainedIdentifiersStay(kind: StoreKind) throws {
        let family = try Family(kind)
        let child = family.child()
        let parents = try family.parent.make("parents")
        let (copy, own) = (try child.have("parents"), try child.make("own"))
        try child.performAndWait { try child.obtainPermanentIDs(for: [copy, own]) }
        #expect(!copy.objectID.isTemporaryID && !own.objectID.isTemporaryID && parents.objectID == copy.objectID)
        let identifier = own.objectID
        try child.save()
        try family.parent.save()
        #expect(try own.objectID == identifier && family.parent.have("own").objectID == identifier)
        #expect(try family.stack.newContext().have("own").objectID == identifier)
    }

    @Test("cancelling a scratch context leaves no trace (CTX-08)", arguments: StoreKind.all)
    func cancelledChildLeavesNoTrace(kind: StoreKind) throws {
        let family = try Family(kind)
        let item = try family.parent.make("kept")
        try family.parent.save()
        do {
            let scratch = family.child()
            try scratch.have("kept").name = "edited"
            _ = try scratch.make("never")
            scratch.delete(try scratch.have("edited"))
        }
        #expect(item.name == "kept" && !item.hasChanges && !family.parent.hasChanges)
        #expect(try family.parent.names() == ["kept"])
    }

    @Test("what an editing context changed is undone in the main one by one undo (CTX-14)", arguments: StoreKind.all)
    func childsSaveIsOneUndoStep(kind: StoreKind) throws {
        let family = try Family(kind)
        let parent = family.parent
        let item = try parent.make("first", ["weight": 1.0, "count": 1])
        try parent.save()
        let manager = UndoManager()
        parent.undoManager = manager
        let editing = family.child()
        let copy = try editing.have("first")
        copy.name = "second"
        editing.processPendingChanges()
        copy.setValue(2.0, forKey: "weight")
        editing.processPendingChanges()
        copy.setValue(2, forKey: "count")
        let added = try editing.make("added")
        added.setValue(copy, forKey: "parent")
        try editing.save()
        #expect(item.name == "second" && item.count == 2 && item.set("children").count == 1)
        parent.undo()
        #expect(item.name == "first" && item.count == 1 && item.value(forKey: "weight") as? Double == 1.0)
        #expect(try item.set("children").isEmpty && parent.names() == ["first"] && !parent.hasChanges)
        #expect(!manager.canUndo && manager.canRedo)
        parent.redo()
        #expect(item.name == "second" && item.set("children").compactMap(\.name) == ["added"])
        try parent.save()
        #expect(try family.stack.newContext().names() == ["added", "second"])
    }

    @Test(
        "what the main context does before and after a child's save are steps of their own (CTX-14)",
        arguments: StoreKind.all)
    func childsSaveIsOneStepAtMost(kind: StoreKind) throws {
        let family = try Family(kind)
        let parent = family.parent
        let item = try parent.make("first", ["count": 1])
        try parent.save()
        parent.undoManager = UndoManager()
        let editing = family.child()
        item.setValue(2, forKey: "count")
        try editing.have("first").name = "second"
        try editing.save()
        parent.performAndWait { item.setValue(3, forKey: "count") }
        #expect(item.name == "second" && item.count == 3)
        parent.undo()
        #expect(item.name == "second" && item.count == 2)
        parent.undo()
        #expect(item.name == "first" && item.count == 2)
        parent.undo()
        #expect(item.count == 1 && !parent.hasChanges)
    }

    @Test("a child's change of one property leaves the parent's change of another (CTX-07)", arguments: StoreKind.all)
    func changesJoinPropertyByProperty(kind: StoreKind) throws {
        let family = try Family(kind)
        let item = try family.parent.make("base", ["weight": 1.0, "count": 1])
        let (one, other) = (try family.parent.make("one"), try family.parent.make("other"))
        item.setValue(one, forKey: "parent")
        try family.parent.save()
        let child = family.child()
        let copy = try child.have("base")
        copy.setValue(2.0, forKey: "weight")
        copy.setValue(try child.have("one"), forKey: "partner")
        item.name = "parents"
        item.setValue(other, forKey: "parent")
        other.setValue(one, forKey: "partner")
        try child.save()
        #expect(item.name == "parents" && item.value(forKey: "weight") as? Double == 2.0)
        #expect(item.one("parent") === other && other.set("children") == [item] && one.set("children").isEmpty)
        #expect(item.one("partner") === one && one.one("admirer") === item && other.one("partner") == nil)
        try family.parent.save()
        let stored = family.stack.newContext()
        #expect(try stored.have("parents").one("partner")?.name == "one")
    }

    @Test("siblings change different members of one relationship (CTX-07)", arguments: StoreKind.all)
    func siblingsJoinMembers(kind: StoreKind) throws {
        let family = try Family(kind)
        let owner = try family.parent.make("owner")
        let names = ["a", "b", "c", "d"]
        let items = try names.map { try family.parent.make($0) }
        owner.mutableOrderedSetValue(forKey: "path").addObjects(from: Array(items[0...1]))
        owner.mutableSetValue(forKey: "tags").addObjects(from: Array(items[0...1]))
        try family.parent.save()
        let (first, second) = (family.child(), family.child())
        let (one, two) = (try first.have("owner"), try second.have("owner"))
        one.mutableSetValue(forKey: "tags").remove(try first.have("a"))
        one.mutableOrderedSetValue(forKey: "path").insert(try first.have("c"), at: 0)
        two.mutableSetValue(forKey: "tags").add(try second.have("d"))
        two.mutableOrderedSetValue(forKey: "path").add(try second.have("d"))
        try first.save()
        try second.save()
        #expect(Set(owner.set("tags").compactMap(\.name)) == ["b", "d"])
        #expect(Set(owner.list("path").compactMap(\.name)) == ["a", "b", "c", "d"])
        try family.parent.save()
        let context = family.stack.newContext()
        let stored = try context.have("owner")
        #expect(stored.list("path").compactMap(\.name) == owner.list("path").compactMap(\.name))
        #expect(Set(stored.set("tags").compactMap(\.name)) == ["b", "d"])
    }

    @Test("a child takes out a member that its parent and a stranger both added (CTX-07)", arguments: StoreKind.all)
    func childTakesBackWhatOthersAdded(kind: StoreKind) throws {
        let family = try Family(kind)
        let owner = try family.parent.make("owner")
        let item = try family.parent.make("item")
        try family.parent.save()
        owner.mutableSetValue(forKey: "tags").add(item)
        let stranger = family.stack.newContext()
        try stranger.have("owner").mutableSetValue(forKey: "tags").add(try stranger.have("item"))
        try stranger.save()
        let child = family.child()
        try child.have("owner").mutableSetValue(forKey: "tags").remove(try child.have("item"))
        // What the parent knows is only what it added: a refresh makes it forget the members that it had read.
        family.parent.refresh(owner, mergeChanges: true)
        family.parent.refresh(item, mergeChanges: true)
        try child.save()
        family.parent.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try family.parent.save()
        let fresh = family.stack.newContext()
        #expect(try fresh.have("owner").set("tags").isEmpty && owner.set("tags").isEmpty)
    }

    @Test(
        "a member that a grandchild removes and adds again does not change the child (CTX-07)",
        arguments: StoreKind.all)
    func memberAddedAgainDoesNotChange(kind: StoreKind) throws {
        let line = try TagLine(kind)
        try line.tag(true)
        try line.child.save()
        try line.root.save()
        try line.tag(false)
        try line.tag(true)
        #expect(line.near.changedValues().isEmpty && line.nearTag.changedValues().isEmpty)
        line.owner.mutableSetValue(forKey: "tags").remove(line.tag)
        try line.root.save()
        try line.child.save()
        #expect(line.owner.set("tags").isEmpty && !line.tag.hasPersistentChangedValues)
        try line.root.save()
        #expect(try line.storedTags() == [])
    }

    @Test(
        "a member that the root added too does not change a grandchild that removes it and adds it again (CTX-07)",
        arguments: StoreKind.all)
    func memberAddedByBothDoesNotChange(kind: StoreKind) throws {
        let line = try TagLine(kind)
        line.far.mutableSetValue(forKey: "tags").add(line.farTag)
        line.owner.mutableSetValue(forKey: "tags").add(line.tag)
        line.renew()
        #expect(line.far.set("tags") == [line.farTag])
        line.far.mutableSetValue(forKey: "tags").remove(line.farTag)
        line.renew()
        #expect(line.far.set("tags").isEmpty)
        line.far.mutableSetValue(forKey: "tags").add(line.farTag)
        #expect(line.far.changedValues().isEmpty && line.farTag.changedValues().isEmpty)
        line.root.rollback()
        line.renew()
        try line.grandchild.save()
        #expect(line.near.set("tags").isEmpty && line.far.set("tags").isEmpty)
        try line.child.save()
        try line.root.save()
        #expect(line.owner.set("tags").isEmpty)
        #expect(try line.storedTags() == [])
    }

    @Test(
        "a member that a grandchild adds by turns and the child removes does not change the child (CTX-07)",
        arguments: StoreKind.all)
    func memberRemovedAgainDoesNotChange(kind: StoreKind) throws {
        let line = try TagLine(kind)
        for isOn in [true, false, true] { try line.tag(isOn, refreshing: true) }
        line.near.mutableSetValue(forKey: "tags").remove(line.nearTag)
        #expect(line.near.changedValues().isEmpty && line.nearTag.changedValues().isEmpty)
        line.owner.mutableSetValue(forKey: "tags").add(line.tag)
        try line.root.save()
        try line.child.save()
        try line.root.save()
        #expect(line.owner.set("tags") == [line.tag])
        #expect(try line.storedTags() == ["tag"])
    }

    /// An object and one that a grandchild tags it with, in three contexts.
    private struct TagLine {
        let family: Family
        let root, child, grandchild: NSManagedObjectContext
        let owner, tag, near, nearTag, far, farTag: Item

        init(_ kind: StoreKind) throws {
            family = try Family(kind)
            root = family.parent
            (owner, tag) = (try root.make("owner"), try root.make("tag"))
            try root.save()
            child = family.child()
            grandchild = family.child(of: child)
            (near, nearTag) = (try child.have("owner"), try child.have("tag"))
            (far, farTag) = (try grandchild.have("owner"), try grandchild.have("tag"))
        }

        /// The names of what the store has the object tagged with.
        func storedTags() throws -> [String] {
            let fresh = family.stack.newContext()
            return try withExtendedLifetime(fresh) { try fresh.have("owner").set("tags").compactMap(\.name) }
        }

        /// Has the child and the grandchild read anew what they have of the object.
        func renew() {
            child.refresh(near, mergeChanges: true)
            grandchild.refresh(far, mergeChanges: true)
        }

        /// Tags the object, or takes the tag away, in the grandchild, and saves that into the child.
        func tag(_ isOn: Bool, refreshing: Bool = false) throws {
            let tags = far.mutableSetValue(forKey: "tags")
            if isOn { tags.add(farTag) } else { tags.remove(farTag) }
            if refreshing { child.refresh(near, mergeChanges: true) }
            try grandchild.save()
        }
    }

    @Test(
        "a cascade in a child reaches the parent, and the parent's own members too (CTX-07)", arguments: StoreKind.all)
    func cascadeReachesParent(kind: StoreKind) throws {
        let family = try Family(kind)
        let root = try family.parent.make("root")
        try family.parent.make("known").setValue(root, forKey: "parent")
        try family.parent.save()
        let child = family.child()
        let copy = try child.have("root")
        #expect(copy.set("children").count == 1)
        try family.parent.make("late").setValue(root, forKey: "parent")
        child.delete(copy)
        try child.save()
        #expect(try family.parent.names().isEmpty)
        try family.parent.save()
        #expect(try family.stack.newContext().names().isEmpty)
    }

    @Test("a child's save checks the rules, and a refused one changes nothing (VAL-01)", arguments: StoreKind.all)
    func refusedSaveChangesNothing(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Note", ["title": .stringAttributeType])
        builder.attribute("Note.title").isOptional = false
        let stack = try Stack(builder.model, kind: kind)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        let note = child.insert("Note", [:])
        expectError(1570) { try child.save() }
        #expect(!stack.context.hasChanges && note.isInserted)
        note.setValue("filled", forKey: "title")
        try child.save()
        #expect(stack.context.insertedObjects.count == 1)
    }
}
