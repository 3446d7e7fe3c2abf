import CoreDataStore

/// A custom store that reads and writes records one by one, such as in a web service, a folder or another database.
///
/// A subclass overrides `loadMetadata()`, which sets `metadata` with at least `NSStoreTypeKey` and `NSStoreUUIDKey`;
/// `execute(_:with:)`; `newValuesForObject(with:with:)`; `newValue(forRelationship:forObjectWith:with:)`; and
/// `obtainPermanentIDs(for:)`. Register it with `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`.
///
/// The coordinator calls all methods from one thread at a time. A method reports a record that does not exist by
/// throwing an error with the code `NSManagedObjectReferentialIntegrityError` of `NSCocoaErrorDomain`. A save reports
/// conflicts, which the context's merge policy resolves, by throwing one with the code
/// `NSPersistentStoreSaveConflictsError`, `NSManagedObjectMergeError` or `NSManagedObjectConstraintMergeError` and the
/// conflicts under `conflictList`.
///
/// ```swift
/// final class ServiceStore: NSIncrementalStore, @unchecked Sendable {
///     override func loadMetadata() throws {
///         metadata = [NSStoreTypeKey: "Service", NSStoreUUIDKey: "8E2B6D0C-4E1C-4E0B-9B57-3D0C6A1F2E55"]
///     }
///     override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
///         array.map { newObjectID(for: $0.entity, referenceObject: UUID().uuidString) }
///     }
///     // Further execute(_:with:), newValuesForObject(with:with:) and newValue(forRelationship:forObjectWith:with:).
/// }
/// NSPersistentStoreCoordinator.registerStoreClass(ServiceStore.self, forStoreType: "Service")
/// ```
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
    private var records: IncrementalRecords?

    /// The store type: the value of `NSStoreTypeKey` in the metadata, or an empty string.
    override open var type: String { metadata?[NSStoreTypeKey] as? String ?? "" }

    /// Opens the store, or creates it, and sets `metadata`.
    ///
    /// - Throws: an error that says why the store cannot be used; always, unless a subclass overrides this method.
    override open func loadMetadata() throws { throw StoreMistake.missingMethod("loadMetadata()", of: self) }

    /// Executes a request: returns an array of results of the fetch request's result type, or an empty array for a
    /// save.
    ///
    /// A fetch is an `NSFetchRequest<any NSFetchRequestResult>`; see `retyped(as:)`. The objects that it finds are made
    /// with `context.object(with:)`; a count is an array with one `NSNumber`. In place of dictionaries, the method may
    /// return the objects or identifiers that the predicate selects: the dictionaries are then made of them. For a save
    /// without objects, it must write the metadata.
    /// - Throws: an error that says why not; `NSPersistentStoreUnsupportedRequestTypeError` for a type of request that
    ///   the store does not support. A save that throws may be tried again with the same objects.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        throw StoreMistake.missingMethod("execute(_:with:)", of: self)
    }

    /// The values of a record.
    ///
    /// - Throws: an error with the code `NSManagedObjectReferentialIntegrityError` for a record that does not exist;
    ///   any other error if it cannot be read.
    open func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        throw StoreMistake.missingMethod("newValuesForObject(with:with:)", of: self)
    }

    /// The identifiers of related records: an array or set for a to-many relationship; one identifier or `NSNull` for a
    /// to-one.
    ///
    /// - Throws: an error if the relationship cannot be read.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        throw StoreMistake.missingMethod("newValue(forRelationship:forObjectWith:with:)", of: self)
    }

    /// An identifier for a new store at a URL; a UUID unless a subclass overrides it.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    /// Permanent identifiers for new objects, in the order of the objects; called before they are saved.
    ///
    /// - Throws: an error if identifiers cannot be obtained, which fails the save.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        throw StoreMistake.missingMethod("obtainPermanentIDs(for:)", of: self)
    }

    /// Called after contexts have registered objects of records: once for each record and context.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Called after contexts have unregistered objects of records: once for each record and context.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// The identifier of the record that has a reference object: a string or number by which the store names the
    /// record.
    ///
    /// A reference object names one record in a hierarchy of entities: an entity and those that inherit from it share
    /// the names.
    public final func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
        ReferencedIdentifiers(self).identifier(entity, data)
    }

    /// The reference object of a record, a string or number; an empty string for an identifier of another store.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        ReferencedIdentifiers(self).reference(objectID)
    }

    // MARK: What the coordinator does with it

    override func finishLoading() throws {
        guard let coordinator = persistentStoreCoordinator else { return }
        try StoreIdentity(self).establish(for: coordinator.managedObjectModel)
        let made = IncrementalRecords(store: self, model: coordinator.modelLayout)
        records = made
        objects = made
    }

    override func endServing() {
        objects = nil
        records = nil
        registrations = nil
    }

    var objectServer: (any ObjectServing)? { records }
}
