import CoreDataStore

/// A request to the stores of a coordinator.
open class NSPersistentStoreRequest: NSObject, NSCopying, AssociationHolder {
    /// The values that programs associate with the request.
    final package var associatedObjects: AssociatedObjects?

    /// The stores that the request is for; nil for all of the coordinator's stores.
    open var affectedStores: [NSPersistentStore]?

    /// The kind of the request.
    open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Makes a request for all stores.
    override public init() {}

    /// Returns a copy with the same settings.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreRequest()
        copy.affectedStores = affectedStores
        return copy
    }

    /// Whether the request is for a store.
    final func concerns(_ store: NSPersistentStore?) -> Bool {
        affectedStores?.contains { $0 === store } ?? true
    }
}

/// The kinds of requests.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    /// A fetch of objects or values: `NSFetchRequest`.
    case fetchRequestType = 1
    /// A save of a context's changes: `NSSaveChangesRequest`.
    case saveRequestType = 2
    /// Rows are inserted without objects: `NSBatchInsertRequest`.
    case batchInsertRequestType = 5
    /// Rows are changed without objects: `NSBatchUpdateRequest`.
    case batchUpdateRequestType = 6
    /// Rows are deleted without objects: `NSBatchDeleteRequest`.
    case batchDeleteRequestType = 7
    /// A history request: `NSPersistentHistoryChangeRequest`, with the same number in Apple's framework, without a
    /// public name.
    case persistentHistoryRequestType = 8
}
