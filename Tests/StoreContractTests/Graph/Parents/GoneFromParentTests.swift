import CoreData
import StoreContract
import Testing

/// What becomes of a child's changes to an object that its parent does not have any more.
@Suite struct GoneFromParentTests {
    enum Departure: CaseIterable {
        case deleted, deletedAndSaved, insertionTakenBack
    }

    /// A child that has changed an object and related a new one to it, after which the object has gone.
    private func scene(_ kind: StoreKind, _ departure: Departure) throws -> (Family, NSManagedObjectContext, Item) {
        let family = try Family(kind)
        let item = try family.parent.make("item", ["count": 4])
        if departure != .insertionTakenBack { try family.parent.save() }
        let child = family.child()
        let copy = try child.have("item")
        copy.name = "changed"
        let new = try child.make("new")
        new.setValue(copy, forKey: "parent")
        family.parent.delete(item)
        family.parent.processPendingChanges()
        if departure != .deleted { try family.parent.save() }
        return (family, child, copy)
    }

    @Test(
        "by default a save over a deletion in the parent is refused (CTX-07)", arguments: StoreKind.all,
        Departure.allCases)
    func saveIsRefused(kind: StoreKind, departure: Departure) throws {
        let (family, child, copy) = try scene(kind, departure)
        let error = #expect(throws: NSError.self) { try child.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        let conflict = (error?.userInfo["conflictList"] as? [NSMergeConflict])?.first
        #expect(conflict?.sourceObject === copy && conflict?.newVersionNumber == 0)
        #expect(try family.parent.names().isEmpty && child.hasChanges && copy.name == "changed")
    }

    @Test("where the parent wins the changes are given up (CTX-07)", arguments: StoreKind.all, Departure.allCases)
    func changesAreGivenUp(kind: StoreKind, departure: Departure) throws {
        for policy in [NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType] {
            let (family, child, copy) = try scene(kind, departure)
            child.mergePolicy = NSMergePolicy(merge: policy)
            try child.save()
            #expect(try family.parent.names() == ["new"] && !child.hasChanges && copy.managedObjectContext == nil)
            #expect(try family.parent.have("new").one("parent") == nil)
            #expect(try child.names() == ["new"] && child.have("new").one("parent") == nil)
            try family.parent.save()
            #expect(try family.stack.newContext().names() == ["new"])
        }
    }

    @Test("where the child wins the object comes back whole (CTX-07)", arguments: StoreKind.all, Departure.allCases)
    func objectComesBack(kind: StoreKind, departure: Departure) throws {
        for policy in [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType] {
            let (family, child, copy) = try scene(kind, departure)
            child.mergePolicy = NSMergePolicy(merge: policy)
            try child.save()
            let here = try family.parent.have("changed")
            #expect(here.count == 4 && here.set("children").compactMap(\.name) == ["new"] && !child.hasChanges)
            #expect(here.objectID == copy.objectID)
            try family.parent.save()
            let stored = family.stack.newContext()
            #expect(try stored.names() == ["changed", "new"] && stored.have("changed").count == 4)
            #expect(try stored.have("new").one("parent")?.name == "changed")
        }
    }

    @Test("an object that comes back is again what others were related to (CTX-07)", arguments: StoreKind.all)
    func relatedObjectsRegain(kind: StoreKind) throws {
        let family = try Family(kind)
        let (item, friend) = (try family.parent.make("item"), try family.parent.make("friend"))
        item.mutableSetValue(forKey: "tags").add(friend)
        try family.parent.save()
        let child = family.child()
        try child.have("item").name = "changed"
        family.parent.delete(item)
        family.parent.processPendingChanges()
        child.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try child.save()
        #expect(friend.set("tagged") == [item] && item.set("tags") == [friend])
        try family.parent.save()
        let fresh = family.stack.newContext()
        #expect(try fresh.have("changed").set("tags").compactMap(\.name) == ["friend"])
    }

    @Test(
        "what a grandchild brought back is counted once when the deletion is taken back (CTX-07)",
        arguments: StoreKind.all)
    func broughtBackIsCountedOnce(kind: StoreKind) throws {
        let family = try Family(kind)
        let item = try family.parent.make("item")
        try family.parent.save()
        let child = family.child()
        let grandchild = family.child(of: child)
        grandchild.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try grandchild.have("item").name = "changed"
        family.parent.delete(item)
        family.parent.processPendingChanges()
        try grandchild.save()
        #expect(try child.names() == ["changed"])
        family.parent.rollback()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        for context in [grandchild, child, family.parent] {
            #expect(try context.count(for: request) == 1)
            #expect(try context.fetch(request).count == 1)
        }
    }

    @Test(
        "deleting what the parent has deleted does not conflict (CTX-07)", arguments: StoreKind.all, Departure.allCases)
    func deletionOfTheDeleted(kind: StoreKind, departure: Departure) throws {
        let (family, child, copy) = try scene(kind, departure)
        child.delete(copy)
        try child.save()
        #expect(try family.parent.names().isEmpty && child.names().isEmpty)
        try family.parent.save()
        #expect(try family.stack.newContext().names().isEmpty)
    }

    @Test("a fault of what the parent deleted is inaccessible (CTX-07)", arguments: StoreKind.all)
    func faultOfTheDeleted(kind: StoreKind) throws {
        let family = try Family(kind)
        let item = try family.parent.make("item")
        try family.parent.save()
        let child = family.child()
        child.dataErrorHandler = { _, _ in }
        let copy = try #require(child.object(with: item.objectID) as? Item)
        family.parent.delete(item)
        #expect(copy.name == nil && copy.isDeleted)
    }
}
