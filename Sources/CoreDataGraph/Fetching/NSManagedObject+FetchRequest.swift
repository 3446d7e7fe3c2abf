import CoreDataStore

extension NSManagedObject {
    /// A request for all objects of the receiver's entity.
    public class func fetchRequest() -> NSFetchRequest<NSFetchRequestResult> {
        NSFetchRequest(entityName: entity().name ?? "")
    }
}
