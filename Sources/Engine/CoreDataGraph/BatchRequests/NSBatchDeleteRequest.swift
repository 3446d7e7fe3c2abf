import CoreDataStore

/// Deletes records directly in the store, without creating managed objects.
///
/// The store applies delete rules: Cascade deletes related records too, Deny refuses the entire request, and Nullify
/// removes the references of other records. Nothing else is validated, no method of a managed object's class is called,
/// and contexts are not notified.
///
/// ```swift
/// let old = NSFetchRequest<Order>(entityName: "Order")
/// old.predicate = NSPredicate(format: "placed < %@", Date(timeIntervalSinceNow: -365 * 24 * 60 * 60))
/// let request = NSBatchDeleteRequest(fetchRequest: old)
/// request.resultType = .resultTypeObjectIDs
/// let result = try context.execute(request) as? NSBatchDeleteResult
/// let deleted = result?.result as? [NSManagedObjectID] ?? []
/// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: deleted], into: [container.viewContext])
/// ```
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    private let request: UntypedFetchRequest
    /// The identifiers of the records to delete; nil for a request made with a fetch request.
    let objectIDs: [NSManagedObjectID]?

    /// A copy of the fetch request that selects the records.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult> {
        let copy = NSFetchRequest<any NSFetchRequestResult>()
        request.copyValues(to: copy)
        return copy
    }

    /// What the result contains; by default, only that the request was executed.
    open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

    /// What kind of request it is.
    override open var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    /// Makes a request that deletes the records which a fetch request selects by its entity, `includesSubentities`,
    /// predicate, sort descriptors, limit, offset and affected stores.
    public init(fetchRequest: UntypedFetchRequest) {
        request = UntypedFetchRequest()
        objectIDs = nil
        super.init()
        fetchRequest.copyValues(to: request)
        affectedStores = fetchRequest.affectedStores
    }

    /// Makes a request that deletes the records with these identifiers, all of which must be of one hierarchy of
    /// entities.
    public init(objectIDs: [NSManagedObjectID]) {
        request = UntypedFetchRequest()
        self.objectIDs = objectIDs
        super.init()
        request.entity = objectIDs.first?.entity.rootEntity
        request.predicate = NSPredicate(format: "SELF IN %@", objectIDs)
    }

    /// A copy with the same settings.
    override open func copy(with zone: NSZone? = nil) -> Any {
        let copy = objectIDs.map { NSBatchDeleteRequest(objectIDs: $0) } ?? NSBatchDeleteRequest(fetchRequest: request)
        copy.affectedStores = affectedStores
        copy.resultType = resultType
        return copy
    }
}

/// The result of a batch deletion.
open class NSBatchDeleteResult: NSPersistentStoreResult, @unchecked Sendable {
    /// True, the number of deleted records, or their `NSManagedObjectID`s in an array, as the result type says.
    /// Includes the records that the delete rule Cascade deleted.
    open private(set) var result: Any?
    /// What the result contains.
    open private(set) var resultType: NSBatchDeleteRequestResultType

    /// Makes the result of a store that executes the request itself.
    init(_ result: Any, _ type: NSBatchDeleteRequestResultType) {
        self.result = result
        resultType = type
    }

    init(_ outcome: BatchOutcome, _ type: NSBatchDeleteRequestResultType) {
        resultType = type
        result =
            switch type {
            case .resultTypeStatusOnly: NSNumber(value: true)
            case .resultTypeObjectIDs: outcome.objectIDs
            case .resultTypeCount: NSNumber(value: outcome.count)
            }
    }
}

/// What the result of a batch deletion contains.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// `true`: the request was executed.
    case resultTypeStatusOnly = 0
    /// The identifiers of the deleted records.
    case resultTypeObjectIDs = 1
    /// The number of deleted records.
    case resultTypeCount = 2
}
