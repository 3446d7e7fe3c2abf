import CoreData
import StoreContract
import Testing

/// Changes that reach a child from its parent, or from another child of it.
@Suite struct FamilyMergeTests {
    @Test("a child follows what its siblings and its parent save (CTX-20)", arguments: StoreKind.all)
    func childFollowsFamily(kind: StoreKind) throws {
        let family = try Family(kind)
        _ = try family.parent.make("doomed")
        let item = try family.parent.make("item", ["weight": 1.0, "count": 1])
        try family.parent.save()
        let (writer, reader) = (family.child(), family.child())
        reader.automaticallyMergesChangesFromParent = true
        let (copy, other) = (try reader.have("item"), try reader.have("doomed"))
        copy.setValue(5, forKey: "count")
        other.willAccessValue(forKey: nil)
        let board = Board(of: reader)

        let changed = try writer.have("item")
        changed.name = "changed"
        changed.setValue(9, forKey: "count")
        writer.delete(try writer.have("doomed"))
        let new = try writer.make("new")
        new.setValue(changed, forKey: "parent")
        try writer.save()
        family.settle(reader)
        #expect(copy.name == "item" && board.count(NSDeletedObjectsKey) == 0)
        try family.parent.save()
        family.settle(reader, writer)
        #expect(copy.name == "changed" && copy.count == 5 && copy.hasChanges && other.isDeleted)
        #expect(copy.set("children").compactMap(\.name) == ["new"])
        #expect(board.names(NSInsertedObjectsKey) == ["new"] && board.names(NSRefreshedObjectsKey) == ["changed"])
        #expect(board.count(NSDeletedObjectsKey) == 1)

        #expect(try !reader.have("new").objectID.isTemporaryID && new.objectID == reader.have("new").objectID)
        item.name = "again"
        try family.parent.save()
        family.settle(reader)
        #expect(copy.name == "again" && copy.count == 5)
    }

    @Test("a child merges a sibling's notification, saved by the parent or not (CTX-18)", arguments: StoreKind.all)
    func childMergesSiblingsNotification(kind: StoreKind) throws {
        let family = try Family(kind)
        _ = try family.parent.make("item", ["weight": 1.0])
        let (writer, reader) = (family.child(), family.child())
        let copy = try reader.have("item")
        copy.setValue(2.0, forKey: "weight")
        nonisolated(unsafe) var saved: Notification?
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
        ) { saved = $0 }
        defer { NotificationCenter.default.removeObserver(token) }
        try writer.have("item").name = "changed"
        try writer.save()
        #expect(copy.name == "item")
        reader.mergeChanges(fromContextDidSave: try #require(saved))
        #expect(copy.name == "changed" && copy.value(forKey: "weight") as? Double == 2.0)
        try reader.save()
        try family.parent.save()
        let stored = family.stack.newContext()
        #expect(try stored.have("changed").value(forKey: "weight") as? Double == 2.0)
    }

    @Test("a save elsewhere reaches a child through its parent (CTX-18)", arguments: StoreKind.all)
    func saveElsewhereReachesChild(kind: StoreKind) throws {
        let family = try Family(kind)
        let item = try family.parent.make("item")
        try family.parent.save()
        let child = family.child()
        let copy = try child.have("item")
        copy.willAccessValue(forKey: nil)
        let elsewhere = family.stack.newContext()
        try elsewhere.have("item").name = "elsewhere"
        let identifier = try elsewhere.have("elsewhere").objectID
        try elsewhere.save()
        let changes = [NSUpdatedObjectIDsKey: [identifier]]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [family.parent, child])
        #expect(item.name == "elsewhere" && copy.name == "elsewhere")
    }
}

/// What a context's notifications of changes have named; hears nothing any more once it has gone.
private final class Board {
    private final class Sets: @unchecked Sendable {
        var objects: [String: Set<NSManagedObject>] = [:]
    }

    private let sets = Sets()
    private let token: any NSObjectProtocol

    init(of context: NSManagedObjectContext) {
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { [sets] note in
            for (key, value) in note.userInfo ?? [:] {
                guard let key = key as? String, let objects = value as? Set<NSManagedObject> else { continue }
                sets.objects[key, default: []].formUnion(objects)
            }
        }
    }

    deinit { NotificationCenter.default.removeObserver(token) }

    func names(_ key: String) -> [String] { (sets.objects[key] ?? []).compactMap { ($0 as? Item)?.name }.sorted() }
    func count(_ key: String) -> Int { sets.objects[key]?.count ?? 0 }
}
