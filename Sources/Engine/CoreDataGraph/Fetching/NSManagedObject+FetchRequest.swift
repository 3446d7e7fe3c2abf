import CoreDataStore

extension NSManagedObject {
    /// A request for all objects of the receiver's entity.
    ///
    /// A method of this name that gives an `NSFetchRequest<Item>`, as Xcode writes it, comes before it in `Item`.
    @_disfavoredOverload
    public class func fetchRequest() -> NSFetchRequest<NSFetchRequestResult> {
        NSFetchRequest(entityName: entity().name ?? "")
    }
}
