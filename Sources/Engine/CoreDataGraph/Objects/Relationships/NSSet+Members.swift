import CoreDataStore

extension NSSet {
    /// Returns a set of objects, without bridging each element, which would check its type.
    static func of(_ objects: [AnyObject]) -> NSSet {
        NSSet(objects: objects, count: objects.count)
    }
}
