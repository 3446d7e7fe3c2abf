import CoreDataStore

extension NSManagedObject {
    /// A request for all objects of the receiver's entity.
    ///
    /// In a class `Item`, a method of this name that returns `NSFetchRequest<Item>`, as Xcode writes it, takes
    /// precedence.
    @_disfavoredOverload
    public class func fetchRequest() -> NSFetchRequest<NSFetchRequestResult> {
        NSFetchRequest(entityName: entity().name ?? "")
    }
}
