import CoreDataStore

/// Changes properties of all records that meet a condition directly in the store, without creating managed objects.
///
/// Nothing is validated, no method of a managed object's class is called, and contexts are not notified: refresh their
/// objects, or merge the identifiers of `updatedObjectIDsResultType` into the contexts. The store raises the version of
/// every record that meets the condition. It checks unique values after each record, so two records cannot exchange
/// theirs in one request.
///
/// ```swift
/// let request = NSBatchUpdateRequest(entityName: "Article")
/// request.predicate = NSPredicate(format: "price < %d", 10)
/// request.propertiesToUpdate = ["price": NSExpression(format: "price * 2")]
/// request.resultType = .updatedObjectsCountResultType
/// let result = try context.execute(request) as? NSBatchUpdateResult
/// print(result?.result as? Int ?? 0, "prices doubled")
/// ```
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    private let named: BatchEntity

    /// The name of the entity.
    open var entityName: String { named.name }

    /// The entity; stops the program if no model in use has an entity of that name.
    open var entity: NSEntityDescription { named.description }

    /// The condition for records to be updated; nil updates all records of the entity.
    open var predicate: NSPredicate?

    /// Whether records of sub-entities are updated too; true by default.
    open var includesSubentities = true

    /// What the result contains; by default, only that the request was executed.
    open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

    /// The new values. A key is the name of a property or its `NSPropertyDescription`.
    ///
    /// An element of a composite attribute is named by its path (`color.red`); the other elements stay as they are.
    /// A value is one of the property's type, nil or `NSNull`, the identifier of the object for a to-one relationship,
    /// or an `NSExpression` that the store evaluates for each record with the values before the update. A batch update
    /// cannot set to-many and one-to-one relationships, derived and transient attributes.
    open var propertiesToUpdate: [AnyHashable: Any]?

    /// What kind of request it is.
    override open var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

    /// Makes a request for an entity by its name.
    public init(entityName: String) {
        named = BatchEntity(entityName)
        super.init()
    }

    /// Makes a request for an entity.
    public init(entity: NSEntityDescription) {
        named = BatchEntity(entity)
        super.init()
    }

    /// A copy with the same settings.
    override open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchUpdateRequest(named)
        copy.affectedStores = affectedStores
        copy.predicate = predicate
        copy.includesSubentities = includesSubentities
        copy.resultType = resultType
        copy.propertiesToUpdate = propertiesToUpdate
        return copy
    }

    private init(_ entity: BatchEntity) {
        named = entity
        super.init()
    }

    func layout(in model: ModelLayout) throws -> EntityLayout { try named.layout(in: model) }
}

/// The result of a batch update.
open class NSBatchUpdateResult: NSPersistentStoreResult, @unchecked Sendable {
    /// True, the number of records, or an array of `NSManagedObjectID`, as the result type says.
    open private(set) var result: Any?
    /// What the result contains.
    open private(set) var resultType: NSBatchUpdateRequestResultType

    /// Makes the result of a store that executes the request itself.
    init(_ result: Any, _ type: NSBatchUpdateRequestResultType) {
        self.result = result
        resultType = type
    }

    init(_ outcome: BatchOutcome, _ type: NSBatchUpdateRequestResultType) {
        resultType = type
        result =
            switch type {
            case .statusOnlyResultType: NSNumber(value: true)
            case .updatedObjectIDsResultType: outcome.objectIDs
            case .updatedObjectsCountResultType: NSNumber(value: outcome.count)
            }
    }
}

/// What the result of a batch update contains.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// `true`: the request was executed.
    case statusOnlyResultType = 0
    /// The identifiers of the changed records.
    case updatedObjectIDsResultType = 1
    /// The number of changed records.
    case updatedObjectsCountResultType = 2
}
