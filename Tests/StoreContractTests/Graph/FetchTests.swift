import CoreData
import StoreContract
import TestBasics
import Testing

@Suite struct FetchTests {
    @Test(arguments: StoreKind.all) func unknownEntityThrowsWithSuggestion(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let error = #expect(throws: NSError.self) {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Heroo"))
        }
        #expect(error?.localizedDescription.contains("Heroo") == true)
        #expect(error?.localizedRecoverySuggestion?.contains("Hero") == true)
    }

    @Test("a fetch before any store is added gives nothing (CTX-35)", arguments: StoreKind.all)
    func fetchWithoutStoreIsEmpty(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let lost = NSManagedObjectContext(.privateQueue)
        lost.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        #expect(try lost.all("Hero").isEmpty)
        lost.insert("Hero")
        #expect(try lost.all("Hero").count == 1)
        expectError(134030) { try lost.save() }
        #expect(lost.hasChanges)
    }

    @Test("a context without a coordinator refuses a fetch with an error (CTX-01)")
    func fetchWithoutCoordinatorThrows() {
        let lost = NSManagedObjectContext(.privateQueue)
        expectError(134060) { try lost.fetch(NSFetchRequest<NSManagedObject>(entityName: "Hero")) }
    }
}
