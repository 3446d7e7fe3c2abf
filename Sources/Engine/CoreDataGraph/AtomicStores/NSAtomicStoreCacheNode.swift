import CoreDataStore

/// One record of an atomic store, in memory.
///
/// A subclass may keep values otherwise than in `propertyCache` by overriding `value(forKey:)` and `setValue(_:forKey:)`: the
/// coordinator asks for a record's values when the first of its object's is wanted, and queries for those that they name.
///
/// ```swift
/// guard let entity = model.entitiesByName["Customer"] else { return }
/// let node = NSAtomicStoreCacheNode(objectID: atomicStore.objectID(for: entity, withReferenceObject: "customer-1"))
/// node.setValue("Ann", forKey: "name")
/// atomicStore.addCacheNodes([node])
/// ```
open class NSAtomicStoreCacheNode: NSObject, @unchecked Sendable {
    /// The identifier of the record.
    open private(set) var objectID: NSManagedObjectID

    /// The values by the names of properties; nil until one is set.
    open var propertyCache: NSMutableDictionary?

    /// How often the record was saved.
    var version: UInt64 = 1

    /// Makes a node without values.
    public init(objectID moid: NSManagedObjectID) {
        objectID = moid
        super.init()
    }

    /// The value of a property.
    ///
    /// Of a relationship it is the node that it leads to, or its identifier, and a set, ordered set or array of such for many.
    open func value(forKey key: String) -> Any? { propertyCache?[key] }

    /// Sets the value of a property; nil takes it out.
    open func setValue(_ value: Any?, forKey key: String) {
        let cache = propertyCache ?? NSMutableDictionary()
        propertyCache = cache
        if let value { cache[key] = value } else { cache.removeObject(forKey: key) }
    }
}
