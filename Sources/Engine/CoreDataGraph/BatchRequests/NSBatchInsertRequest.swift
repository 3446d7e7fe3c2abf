import CoreDataStore

/// Inserts many records directly in the store, without notifying contexts.
///
/// The store applies default values and validates nothing. When another record has the same unique values, the
/// context's merge policy decides: the request fails (133021), the other record is overwritten with the given values,
/// or the new one is skipped. All records are inserted, or none. A handler runs while the store is locked for writing
/// and must not save to that store.
///
/// ```swift
/// let request = NSBatchInsertRequest(
///     entityName: "Article", objects: [["name": "Tea", "price": 4], ["name": "Coffee", "price": 6]])
/// request.resultType = .count
/// let result = try context.execute(request) as? NSBatchInsertResult
/// print(result?.result as? Int ?? 0, "articles inserted")
/// ```
open class NSBatchInsertRequest: NSPersistentStoreRequest {
    private let named: BatchEntity

    /// The name of the entity.
    open var entityName: String { named.name }

    /// The entity; stops the program if no model in use has an entity of that name.
    open var entity: NSEntityDescription? { named.description }

    /// The values of each record by property names; nil in a request with a handler.
    open var objectsToInsert: [[String: Any]]?

    /// Puts the next record's values into an empty dictionary and returns false; returns true instead after the last
    /// record.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?

    /// Sets the next record's values in an object with default values and returns false; returns true instead after the
    /// last.
    ///
    /// The object does not belong to a context and is reused for all records. Setting a relationship makes the request
    /// fail.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)?

    /// What the result contains; by default, only that the request was executed.
    open var resultType: NSBatchInsertRequestResultType = .statusOnly

    /// What kind of request it is.
    override open var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    private init(_ entity: BatchEntity) {
        named = entity
        super.init()
    }

    /// Makes a request for records of an entity with the given values.
    public convenience init(entityName: String, objects: [[String: Any]]) {
        self.init(BatchEntity(entityName))
        objectsToInsert = objects
    }

    /// Makes a request for records of an entity with the given values.
    public convenience init(entity: NSEntityDescription, objects: [[String: Any]]) {
        self.init(BatchEntity(entity))
        objectsToInsert = objects
    }

    /// Makes a request for records of an entity whose values a handler puts into a dictionary.
    public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
        self.init(BatchEntity(entityName))
        dictionaryHandler = handler
    }

    /// Makes a request for records of an entity whose values a handler puts into a dictionary.
    public convenience init(
        entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(BatchEntity(entity))
        dictionaryHandler = handler
    }

    /// Makes a request for records of an entity whose values a handler sets in an object.
    public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.init(BatchEntity(entityName))
        managedObjectHandler = handler
    }

    /// Makes a request for records of an entity whose values a handler sets in an object.
    public convenience init(
        entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(BatchEntity(entity))
        managedObjectHandler = handler
    }

    /// A copy with the same settings.
    override open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchInsertRequest(named)
        copy.affectedStores = affectedStores
        copy.objectsToInsert = objectsToInsert
        copy.dictionaryHandler = dictionaryHandler
        copy.managedObjectHandler = managedObjectHandler
        copy.resultType = resultType
        return copy
    }

    func layout(in model: ModelLayout) throws -> EntityLayout { try named.layout(in: model) }
}

/// The result of a batch insertion.
open class NSBatchInsertResult: NSPersistentStoreResult, @unchecked Sendable {
    /// True, the number of records, or an array of `NSManagedObjectID`, as the result type says.
    ///
    /// Overwritten records count, skipped ones do not.
    open private(set) var result: Any?
    /// What the result contains.
    open private(set) var resultType: NSBatchInsertRequestResultType

    /// Makes the result of a store that executes the request itself.
    init(_ result: Any, _ type: NSBatchInsertRequestResultType) {
        self.result = result
        resultType = type
    }

    init(_ outcome: BatchOutcome, _ type: NSBatchInsertRequestResultType) {
        resultType = type
        result =
            switch type {
            case .statusOnly: NSNumber(value: true)
            case .objectIDs: outcome.objectIDs
            case .count: NSNumber(value: outcome.count)
            }
    }
}

/// What the result of a batch insertion contains.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// `true`: the request was executed.
    case statusOnly = 0
    /// The identifiers of the inserted records.
    case objectIDs = 1
    /// The number of inserted records.
    case count = 2
}
