// What the examples at symbols use without declaring it: the classes of a small shop, and values that a program has by then.
import CoreData

final class Customer: NSManagedObject {
    @NSManaged var name: String?
    @NSManaged var city: String?
    @NSManaged var orders: Set<Order>
}

final class Order: NSManagedObject {
    @NSManaged var number: Int64
    @NSManaged var placed: Date?
    @NSManaged var customer: Customer?
}

final class Article: NSManagedObject {
    @NSManaged var name: String?
    @NSManaged var price: Int64
}

/// A value that is only type-checked.
func given<Value>(_ type: Value.Type = Value.self) -> Value { fatalError("Examples are not run.") }

@MainActor var container: NSPersistentContainer { given() }
@MainActor var context: NSManagedObjectContext { given() }
@MainActor var controller: NSFetchedResultsController<Customer> { given() }
@MainActor var snapshot: FetchedResultsSnapshot { given() }
@MainActor var request: NSFetchRequest<Article> { given() }
@MainActor var customer: Customer { given() }
@MainActor var customers: [Customer] { given() }
@MainActor var articles: [Article] { given() }
@MainActor var token: NSPersistentHistoryToken { given() }
@MainActor var transactions: [NSPersistentHistoryTransaction] { given() }
@MainActor var url: URL { given() }
@MainActor var newURL: URL { given() }

@MainActor var model: NSManagedObjectModel { given() }
@MainActor var oldModel: NSManagedObjectModel { given() }
@MainActor var newModel: NSManagedObjectModel { given() }
@MainActor var entity: NSEntityDescription { given() }
@MainActor var customerEntity: NSEntityDescription { given() }
@MainActor var orderEntity: NSEntityDescription { given() }
@MainActor var attribute: NSAttributeDescription { given() }
@MainActor var name: NSAttributeDescription { given() }
@MainActor var email: NSAttributeDescription { given() }
@MainActor var city: NSAttributeDescription { given() }
@MainActor var placed: NSAttributeDescription { given() }

@MainActor var mapping: NSMappingModel { given() }
@MainActor var nameMapping: NSPropertyMapping { given() }
@MainActor var version1: NSManagedObjectModelReference { given() }
@MainActor var version2: NSManagedObjectModelReference { given() }
@MainActor var version3: NSManagedObjectModelReference { given() }
@MainActor var checksum1: String { given() }
@MainActor var checksum2: String { given() }

@MainActor var atomicStore: NSAtomicStore { given() }
@MainActor var incrementalStore: NSIncrementalStore { given() }
