import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

@Suite("A save that the store refuses can be made again")
struct RefusedSaveTests {
    private let folder: URL
    private let url: URL
    private let coordinator: NSPersistentStoreCoordinator
    private let context = NSManagedObjectContext(.privateQueue)

    init() throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType])
        folder = try Fixtures.temporaryFolder()
        url = folder.appendingPathComponent("Test.sqlite")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: builder.model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSPersistentStoreTimeoutOption: 0.05])
        context.persistentStoreCoordinator = coordinator
        context.insert("Item", ["name": "first"])
        try context.save()
    }

    private func expectChangesKept(_ object: NSManagedObject, _ location: SourceLocation = #_sourceLocation) {
        #expect(context.insertedObjects == [object], sourceLocation: location)
        #expect(object.objectID.isTemporaryID, sourceLocation: location)
        #expect(object.value(forKey: "name") as? String == "second", sourceLocation: location)
    }

    @Test("Another process holds the file: error 134090 after the timeout, and the save succeeds when it lets go")
    func anotherProcessHoldsFile() throws {
        let other = try Connection.open(url.path)
        try other.begin(.immediate)
        let object = context.insert("Item", ["name": "second"])
        #expect(code { try context.save() } == NSPersistentStoreTimeoutError)
        expectChangesKept(object)
        try other.rollBack()
        try context.save()
        #expect(try other.value("SELECT count(*) FROM ZITEM") == 2)
        try FileManager.default.removeItem(at: folder)
    }

    @Test("the file was deleted under the store: the save is refused and no file appears in its place (HAZ-36)")
    func deletedFile() throws {
        let hidden = folder.appendingPathComponent("hidden")
        try FileManager.default.moveItem(at: url, to: hidden)
        let object = context.insert("Item", ["name": "second"])
        #expect(code { try context.save() } == NSPersistentStoreSaveError)
        expectChangesKept(object)
        #expect(!FileManager.default.fileExists(atPath: url.path))
        try FileManager.default.moveItem(at: hidden, to: url)
        try context.save()
        #expect(try Connection.open(url.path).value("SELECT count(*) FROM ZITEM") == 2)
        try FileManager.default.removeItem(at: folder)
    }

    @Test("The store was removed from its coordinator: the save is refused until it is back")
    func removedStore() throws {
        let object = context.insert("Item", ["name": "second"])
        try coordinator.remove(coordinator.persistentStores[0])
        #expect(code { try context.save() } == NSPersistentStoreSaveError)
        expectChangesKept(object)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        try context.save()
        #expect(try Connection.open(url.path).value("SELECT count(*) FROM ZITEM") == 2)
        try FileManager.default.removeItem(at: folder)
    }
}
