import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

/// A store whose history has transactions is not written by who does not go on with the history.
@Suite struct HistoryGuardTests {
    private static let reason =
        "The store has persistent history, and was opened without NSPersistentHistoryTrackingKey, "
        + "so it is opened read-only."

    /// A store with a hero, and with the tables in which Apple's framework records changes.
    private func stack() throws -> Stack {
        let stack = try HeroModel.stack()
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        try stack.execute(
            "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
                + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )")
        try stack.execute(
            "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT )")
        try stack.execute("INSERT INTO ATRANSACTION (ZTIMESTAMP) VALUES (700000000)")
        return try stack.reopened()
    }

    @Test("saves, batches and metadata are refused with the reason, and the file stays as it is")
    func writesAreRefused() throws {
        let stack = try stack()
        #expect(stack.store.isReadOnly)
        let context = stack.context
        let hero = try #require(try context.all("Hero").first)
        #expect(hero.value(forKey: "name") as? String == "Ann")
        let before = try Data(contentsOf: stack.url)
        hero.setValue("Bob", forKey: "name")
        expectRefusal { try context.save() }
        context.rollback()
        expectRefusal {
            try context.execute(
                NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Hero")))
        }
        stack.coordinator.setMetadata(["key": "value"], for: stack.store)
        expectRefusal { try context.save() }
        #expect(try Data(contentsOf: stack.url) == before)
    }

    private func expectRefusal(_ body: () throws -> Void) {
        let error = #expect(throws: NSError.self) { try body() }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(error?.localizedFailureReason == Self.reason)
    }

    @Test("a store that is opened for reading is simply read")
    func readingSaysNothing() throws {
        let stack = try stack()
        let url = stack.url
        try stack.coordinator.remove(stack.store)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSReadOnlyPersistentStoreOption: true]
        )
        #expect(store.isReadOnly && store.objects?.reasonForReadOnly == nil)
    }

    @Test("with the history deleted the store is written again, though the tables are still there")
    func emptyHistoryDoesNotHinderWriting() throws {
        let stack = try stack()
        let url = stack.url
        try stack.coordinator.remove(stack.store)
        let connection = try Connection.open(url.path)
        try connection.execute("DELETE FROM ATRANSACTION")
        connection.close()
        let again = try Stack(stack.model, url: url)
        #expect(!again.store.isReadOnly)
        again.context.insert("Hero", ["name": "Bob"])
        try again.context.save()
    }

    @Test("without the tables a store is written as before")
    func otherStoresAreWritten() throws {
        let stack = try HeroModel.stack()
        #expect(!stack.store.isReadOnly && stack.file.reasonForReadOnly == nil)
    }
}
