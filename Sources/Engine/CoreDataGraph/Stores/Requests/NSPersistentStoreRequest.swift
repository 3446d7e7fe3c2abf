import CoreDataStore

/// A request to the stores of a coordinator.
open class NSPersistentStoreRequest: NSObject, NSCopying, AssociationHolder {
    /// What programs associate with it.
    final package var associatedObjects: AssociatedObjects?

    /// The stores to ask; all of the coordinator's when nil.
    open var affectedStores: [NSPersistentStore]?

    /// What kind of request it is.
    open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Makes an empty one.
    override public init() {}

    /// A copy with the same settings; an immutable object is its own copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreRequest()
        copy.affectedStores = affectedStores
        return copy
    }

    /// Whether a store is among those to ask.
    final func concerns(_ store: NSPersistentStore?) -> Bool {
        affectedStores?.contains { $0 === store } ?? true
    }
}

/// The kinds of requests.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    /// Objects, or values of them: `NSFetchRequest`.
    case fetchRequestType = 1
    /// What a context saves: `NSSaveChangesRequest`.
    case saveRequestType = 2
    /// Rows are inserted without objects: `NSBatchInsertRequest`.
    case batchInsertRequestType = 5
    /// Rows are changed without objects: `NSBatchUpdateRequest`.
    case batchUpdateRequestType = 6
    /// Rows are deleted without objects: `NSBatchDeleteRequest`.
    case batchDeleteRequestType = 7
    /// Not among Apple's public names; `NSPersistentHistoryChangeRequest` has this number there too.
    case persistentHistoryRequestType = 8
}
