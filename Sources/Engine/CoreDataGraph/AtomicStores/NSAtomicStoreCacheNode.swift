import CoreDataStore

/// One record of an atomic store, in memory.
///
/// A subclass may keep values elsewhere than in `propertyCache` by overriding `value(forKey:)` and
/// `setValue(_:forKey:)`. The coordinator reads all stored values of a record when the fault of its object is fired; a
/// fetch reads the values that its predicate and sort descriptors name.
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

    /// The version of the record: 1 when the node is made, and one more after each saved update.
    var version: UInt64 = 1

    /// Makes a node without values.
    public init(objectID moid: NSManagedObjectID) {
        objectID = moid
        super.init()
    }

    /// The value of a property.
    ///
    /// A to-one relationship has the node of the related record, or its identifier; a to-many one has a set, an ordered
    /// set or an array of nodes or identifiers.
    open func value(forKey key: String) -> Any? { propertyCache?[key] }

    /// Sets the value of a property; nil removes the value.
    open func setValue(_ value: Any?, forKey key: String) {
        let cache = propertyCache ?? NSMutableDictionary()
        propertyCache = cache
        if let value { cache[key] = value } else { cache.removeObject(forKey: key) }
    }
}
