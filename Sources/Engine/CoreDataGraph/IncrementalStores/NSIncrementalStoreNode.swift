import CoreDataStore

/// The values of one record, as an incremental store returns them.
///
/// The coordinator retains the node until a save of the store, or until no context has an object of the record. A store
/// may retain it too and update it when it saves: the coordinator then uses the node's values and version.
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

    /// The version of the values; it must differ for each state of the record.
    open var version: UInt64 { state.version }

    /// Makes a node of values by the names of properties.
    ///
    /// Missing attributes are nil. A to-one relationship is an `NSManagedObjectID` or `NSNull`, a to-many one an array
    /// or set of identifiers. Missing relationships are read with `newValue(forRelationship:forObjectWith:with:)`,
    /// to-one ones as soon as the node is used. Keys that the entity does not have are ignored.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        self.objectID = objectID
        state = State(values: values, version: version)
        super.init()
    }

    /// Replaces values and version with those that were just saved or read again.
    open func update(withValues values: [String: Any], version: UInt64) {
        state = State(values: values, version: version)
    }

    /// The value of a property; nil if it is missing, `NSNull` for a to-one relationship without a target.
    open func value(for prop: NSPropertyDescription) -> Any? { state.values[prop.name] }

    /// The keys of all values, including those that are not properties.
    var keys: Dictionary<String, Any>.Keys { state.values.keys }
}
