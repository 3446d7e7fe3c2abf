import CoreDataStore

/// Changes properties of all records that meet a condition directly in the store, without creating managed objects.
///
/// Nothing is validated, no method of a class is called, and contexts learn nothing of it: refresh their objects, or
/// merge the identifiers that the request can give. The version of every record that meets the condition is raised.
/// Values that must be unique may not collide at any moment: records cannot take each other's in one request.
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

    /// The entity; stops for a name that no model in use has.
    open var entity: NSEntityDescription { named.description }

    /// The condition that changed records meet; all records when nil.
    open var predicate: NSPredicate?

    /// Whether records of sub-entities are changed too; true at first.
    open var includesSubentities = true

    /// What the result contains; only that it is done at first.
    open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

    /// The new values by property, which is named or described.
    ///
    /// An element of a composite attribute is named by its path (`color.red`); the other elements stay as they are.
    /// A value is one of the property's type, nil or `NSNull`, the identifier of the object for a to-one relationship, or an
    /// `NSExpression` that is evaluated for each record from the values before the change. To-many and one-to-one relationships,
    /// derived and transient attributes cannot be changed so.
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

/// What came of a batch update.
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
    /// That it is done.
    case statusOnlyResultType = 0
    /// The identifiers of the changed records.
    case updatedObjectIDsResultType = 1
    /// The number of changed records.
    case updatedObjectsCountResultType = 2
}
