import CoreData
import CoreDataTestSupport

extension StoreKind {
    /// The kinds that these tests run on: those of the library that the program has a class for.
    static let tested = all.filter { NSPersistentStoreCoordinator.registeredStoreTypes[$0.type] != nil }
}
