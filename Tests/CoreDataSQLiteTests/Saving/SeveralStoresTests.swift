import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@Suite("One save to several stores")
struct SeveralStoresTests {
    @Test("134040: what the first store has is saved, what the second refused stays and can be saved again")
    func secondStoreFails() throws {
        let builder = ModelBuilder()
        builder.entity("Left", ["name": .stringAttributeType])
        builder.entity("Right", ["name": .stringAttributeType])
        builder.model.setEntities([builder["Left"]], forConfigurationName: "L")
        builder.model.setEntities([builder["Right"]], forConfigurationName: "R")
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: builder.model)
        for name in ["L", "R"] {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: name, at: folder.appendingPathComponent("\(name).sqlite"),
                options: [NSPersistentStoreTimeoutOption: 0])
        }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let left = context.insert("Left", ["name": "l"])
        let right = context.insert("Right", ["name": "r"])
        let blocker = try Connection.open(folder.appendingPathComponent("R.sqlite").path)
        try blocker.begin(.immediate)
        let error = try #require(throws: (any Error).self) { try context.save() } as NSError
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreIncompleteSaveError)
        #expect((error.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore])?.first?.configurationName == "R")
        let refusal = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(refusal?.code == NSPersistentStoreTimeoutError)
        #expect(
            refusal?.localizedRecoverySuggestion
                == "Another program is using the store; try again, or raise NSPersistentStoreTimeoutOption.")
        #expect(!left.hasChanges && !left.objectID.isTemporaryID)
        #expect(right.isInserted && right.objectID.isTemporaryID && right.value(forKey: "name") as? String == "r")
        #expect(context.insertedObjects == [right])
        try blocker.rollBack()
        try context.save()
        #expect(!context.hasChanges)
        #expect(try blocker.value("SELECT count(*) FROM ZRIGHT") == 1)
        let first = try Connection.open(folder.appendingPathComponent("L.sqlite").path)
        #expect(try first.value("SELECT count(*) FROM ZLEFT") == 1)
    }
}
