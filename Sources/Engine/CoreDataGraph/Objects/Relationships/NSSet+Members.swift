import CoreDataStore

extension NSSet {
    /// The set of some objects, without asking of each whether it is one.
    static func of(_ objects: [AnyObject]) -> NSSet {
        NSSet(objects: objects, count: objects.count)
    }
}
