import CoreData
import Testing

/// A store with persistent history: three transactions of two authors, with an update and a deletion.
///
/// | number | author | context | changes |
/// |--:|---|---|---|
/// | 1 | app | main | inserts Note/p1 and Tag/p1 |
/// | 2 | sync | | inserts Photo/p2; updates title and tag of Note/p1, and so notes of Tag/p1 |
/// | 3 | | | deletes Photo/p2, of which title, day and size are kept |
struct Diary {
    let folder: URL
    let store: URL

    init(isTracked: Bool = true, keepsOldValues: Bool = false) throws {
        folder = try Scratch.folder()
        store = folder.appendingPathComponent("Diary.sqlite")
        try Self.fill(store, isTracked: isTracked, keepsOldValues)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Runs `coredata history` on the store.
    func history(_ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(["history", store.path] + arguments)
    }

    /// The transactions that `--format json` prints.
    func transactions(_ arguments: String...) throws -> [[String: Any]] {
        let outcome = try Tool.run(["history", store.path, "--format", "json"] + arguments)
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try outcome.json()
    }

    /// The numbers of the transactions that `--format json` prints.
    func numbers(_ arguments: String...) throws -> [Int] {
        let outcome = try Tool.run(["history", store.path, "--format", "json"] + arguments)
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try outcome.json(as: [[String: Any]].self).compactMap { $0["id"] as? Int }
    }

    /// The store, opened to be written by this process as well.
    static func context(
        _ store: URL, isTracked: Bool = true, keepsOldValues: Bool = false
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(source: Data(source.utf8)))
        _ = try coordinator.addPersistentStore(
            type: .sqlite, at: store,
            options: [
                NSPersistentHistoryTrackingKey: isTracked, CoreDataHistoryKeepsOldValuesOption: keepsOldValues,
            ])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func fill(_ url: URL, isTracked: Bool, _ keepsOldValues: Bool) throws {
        let context = try context(url, isTracked: isTracked, keepsOldValues: keepsOldValues)
        try context.performAndWait {
            (context.transactionAuthor, context.name) = ("app", "main")
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValue("first", forKey: "title")
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            try context.save()
            (context.transactionAuthor, context.name) = ("sync", nil)
            note.setValue("changed", forKey: "title")
            note.setValue(tag, forKey: "tag")
            let photo = NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context)
            photo.setValue("sea", forKey: "title")
            photo.setValue(Date(timeIntervalSinceReferenceDate: 0.25), forKey: "day")
            photo.setValue(7, forKey: "size")
            try context.save()
            context.transactionAuthor = nil
            context.delete(photo)
            try context.save()
        }
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
    }

    private static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Note" representedClassName="Note" syncable="YES">
        <attribute name="day" optional="YES" attributeType="Date" usesScalarValueType="NO" preserveAfterDeletion="YES"/>
        <attribute name="text" optional="YES" attributeType="String"/>
        <attribute name="title" attributeType="String" preserveAfterDeletion="YES"/>
        <relationship name="tag" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Tag" inverseName="notes" inverseEntity="Tag"/>
        </entity>
        <entity name="Photo" representedClassName="Photo" parentEntity="Note" syncable="YES">
        <attribute name="size" optional="YES" attributeType="Integer 16" usesScalarValueType="YES" preserveAfterDeletion="YES"/>
        </entity>
        <entity name="Tag" representedClassName="Tag" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Note" inverseName="tag" inverseEntity="Note"/>
        </entity>
        </model>
        """
}
