import CoreData

/// The superclass of managed objects of another module.
open class Creature: NSManagedObject {
    @NSManaged public var name: String?
    @NSManaged public final var born: Date
    @NSManaged open var friends: Set<Creature>

    /// Read by key, of a class and a module that know nothing of the subclass.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var greeting: String { "I am \(name ?? "nobody")" }
}

extension Creature {
    @NSManaged public func addToFriends(_ value: Creature)
    @NSManaged public func removeFromFriends(_ values: Set<Creature>)
}
