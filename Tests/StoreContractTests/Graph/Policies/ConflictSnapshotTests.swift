import CoreData
import StoreContract
import Testing

/// Between whom a conflict is: what the coordinator itself wrote is its cached snapshot, whoever still holds the objects.
///
/// Apple's page of `NSMergeConflict`: between context and coordinator there is a cached snapshot and no persisted one,
/// between coordinator and store there are both.
@Suite struct ConflictSnapshotTests {
    private static func conflict(_ context: NSManagedObjectContext) throws -> NSMergeConflict {
        let error = try failure(context)
        return try #require((error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?.first)
    }

    private static func title(_ snapshot: [String: Any]?) -> String? { snapshot?["title"] as? String }

    private static func scene(_ kind: StoreKind) throws -> (Stack, NSManagedObject) {
        let stack = try Stack(Songs.model(), kind: kind)
        let mine = stack.context.insert("Song", ["title": "first"])
        try stack.context.save()
        return (stack, mine)
    }

    @Test(
        "what another context saved is the cached snapshot, though its objects are gone (CTX-21)",
        arguments: StoreKind.all)
    func otherContext(kind: StoreKind) throws {
        let (stack, mine) = try Self.scene(kind)
        let other = stack.newContext()
        for title in ["second", "third"] {
            try autoreleasepool {
                try other.all("Song").first?.setValue(title, forKey: "title")
                try other.save()
            }
            #expect(other.registeredObjects.isEmpty)
            mine.setValue("mine", forKey: "title")
            let conflict = try Self.conflict(stack.context)
            #expect(Self.title(conflict.objectSnapshot) == "first" && Self.title(conflict.cachedSnapshot) == title)
            #expect(conflict.persistedSnapshot == nil && conflict.oldVersionNumber == 1)
        }
    }

    @Test("what another context deleted has neither snapshot (CTX-21)", arguments: StoreKind.all)
    func deletedByOtherContext(kind: StoreKind) throws {
        let (stack, mine) = try Self.scene(kind)
        let other = stack.newContext()
        for song in try other.all("Song") { other.delete(song) }
        try other.save()
        mine.setValue("mine", forKey: "title")
        let conflict = try Self.conflict(stack.context)
        #expect(conflict.cachedSnapshot == nil && conflict.persistedSnapshot == nil && conflict.newVersionNumber == 0)
        #expect(Self.title(conflict.objectSnapshot) == "first")
    }

    @Test("what another process saved later is the persisted snapshot (CTX-21)", arguments: StoreKind.all)
    func otherProcess(kind: StoreKind) throws {
        guard kind.capabilities.contains(.shared) else { return }
        let (stack, mine) = try Self.scene(kind)
        let other = stack.newContext()
        try other.all("Song").first?.setValue("second", forKey: "title")
        try other.save()
        let process = try stack.another()
        try process.context.all("Song").first?.setValue("third", forKey: "title")
        try process.context.save()
        mine.setValue("mine", forKey: "title")
        let conflict = try Self.conflict(stack.context)
        #expect(Self.title(conflict.persistedSnapshot) == "third" && Self.title(conflict.cachedSnapshot) != "third")
        #expect(conflict.newVersionNumber == 3)
    }

    @Test("another context that only read the row takes no part in a conflict (CTX-21)", arguments: StoreKind.all)
    func onlyRead(kind: StoreKind) throws {
        guard kind.capabilities.contains(.shared) else { return }
        let (stack, mine) = try Self.scene(kind)
        #expect(try stack.newContext().all("Song").first?.value(forKey: "title") as? String == "first")
        let process = try stack.another()
        try process.context.all("Song").first?.setValue("second", forKey: "title")
        try process.context.save()
        mine.setValue("mine", forKey: "title")
        let conflict = try Self.conflict(stack.context)
        #expect(Self.title(conflict.cachedSnapshot) == "first" && Self.title(conflict.persistedSnapshot) == "second")
    }

    @Test(
        "what another context read after a batch update is the cached snapshot, else the persisted one (CTX-21)",
        arguments: [true, false])
    func readSinceBatchUpdate(isRead: Bool) throws {
        let (stack, mine) = try Self.scene(.sqlite)
        let request = NSBatchUpdateRequest(entityName: "Song")
        request.propertiesToUpdate = ["title": "batch"]
        _ = try stack.newContext().execute(request)
        let readers = isRead ? try stack.newContext().all("Song") : []
        #expect(readers.map { $0.value(forKey: "title") as? String } == (isRead ? ["batch"] : []))
        mine.setValue("mine", forKey: "title")
        let conflict = try Self.conflict(stack.context)
        #expect(Self.title(conflict.cachedSnapshot) == (isRead ? "batch" : "first"))
        #expect(Self.title(conflict.persistedSnapshot) == (isRead ? nil : "batch"))
        #expect(conflict.newVersionNumber == 2)
    }
}
