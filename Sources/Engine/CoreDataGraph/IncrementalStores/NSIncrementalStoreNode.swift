import CoreDataStore

/// The values of one record, as a store of the user's own hands them out.
///
/// The coordinator keeps the node as long as some context has an object of the record. A store may keep it too and bring
/// it up to date when it saves: what the node then says are the record's values and version.
///
/// ```swift
/// let identifier = incrementalStore.newObjectID(for: entity, referenceObject: "customer-1")
/// let node = NSIncrementalStoreNode(objectID: identifier, withValues: ["name": "Ann", "city": "Oslo"], version: 1)
/// node.update(withValues: ["name": "Ann", "city": "Rome"], version: 2)
/// ```
open class NSIncrementalStoreNode: NSObject, @unchecked Sendable {
    private struct State {
        var values: [String: Any]
        var version: UInt64
    }

    private var state: State

    /// The identifier of the record.
    open private(set) var objectID: NSManagedObjectID

    /// The version of the values: another one for each state of the record.
    open var version: UInt64 { state.version }

    /// Makes a node of values by the names of properties.
    ///
    /// Attributes that are missing are nil. A relationship to one is an `NSManagedObjectID` or `NSNull`, one to many an
    /// array or set of identifiers; missing ones are read from the store, missing to-one relationships as soon as the node
    /// is used. Keys that the entity does not have are left out.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        self.objectID = objectID
        state = State(values: values, version: version)
        super.init()
    }

    /// Replaces values and version by those that were just saved, or read again.
    open func update(withValues values: [String: Any], version: UInt64) {
        state = State(values: values, version: version)
    }

    /// The value of a property: nil for one that is missing, `NSNull` for a relationship that leads nowhere.
    open func value(for prop: NSPropertyDescription) -> Any? { state.values[prop.name] }

    /// The names of all values.
    var keys: Dictionary<String, Any>.Keys { state.values.keys }
}
