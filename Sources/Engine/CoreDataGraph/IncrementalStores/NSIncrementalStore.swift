import CoreDataStore

/// A custom store that reads and writes records one by one: from a service, a folder, another database.
///
/// A subclass overrides `loadMetadata()`, which sets `metadata` with at least `NSStoreTypeKey` and `NSStoreUUIDKey`;
/// `execute(_:with:)`; `newValuesForObject(with:with:)`; `newValue(forRelationship:forObjectWith:with:)`; and
/// `obtainPermanentIDs(for:)`. Register it with `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`.
///
/// All methods are called by one thread at a time. A method reports a deleted record by an error with the code
/// `NSManagedObjectReferentialIntegrityError` of `NSCocoaErrorDomain`, and conflicts of a save by one with the code
/// `NSPersistentStoreSaveConflictsError`, `NSManagedObjectMergeError` or `NSManagedObjectConstraintMergeError` and the conflicts under
/// `conflictList`, which the context's merge policy resolves.
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

    /// The store type that the metadata names.
    override open var type: String { metadata?[NSStoreTypeKey] as? String ?? "" }

    /// Opens the store, or creates it, and sets `metadata`.
    ///
    /// - Throws: an error saying why the store cannot be used; this one always, unless it is overridden.
    override open func loadMetadata() throws { throw StoreMistake.missingMethod("loadMetadata()", of: self) }

    /// Answers a request: a fetch with an array of what its result type says, a save with an empty array.
    ///
    /// A fetch is an `NSFetchRequest<any NSFetchRequestResult>`; see `retyped(as:)`. Objects that it asks for come from
    /// `context.object(with:)`; a count is one `NSNumber` in an array. For dictionaries the objects or identifiers that its
    /// predicate selects do too: the dictionaries are then made of them. A save without any objects is to write the metadata.
    /// - Throws: an error saying why not; `NSPersistentStoreUnsupportedRequestTypeError` for a kind of request that the store does not
    ///   know. A save that throws may be tried again with the same objects.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        throw StoreMistake.missingMethod("execute(_:with:)", of: self)
    }

    /// The values of a record.
    ///
    /// - Throws: an error with the code `NSManagedObjectReferentialIntegrityError` for a record that is gone; any other when it cannot be
    ///   read.
    open func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        throw StoreMistake.missingMethod("newValuesForObject(with:with:)", of: self)
    }

    /// The identifiers of what a record is related to: an array or set of them for many, one or `NSNull` for one.
    ///
    /// - Throws: an error when it cannot be read.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        throw StoreMistake.missingMethod("newValue(forRelationship:forObjectWith:with:)", of: self)
    }

    /// An identity for a store that is to be made at a place.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    /// The identifiers that new objects get, in their order, before they are saved.
    ///
    /// - Throws: an error if identifiers cannot be obtained, which fails the save.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        throw StoreMistake.missingMethod("obtainPermanentIDs(for:)", of: self)
    }

    /// Called after contexts got objects of records: once for each record and context.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Called after contexts lost objects of records: once for each record and context.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// The identifier of the record that the store calls by a string or a number.
    ///
    /// A reference object belongs to a hierarchy of entities: an entity and those that inherit from it share them.
    public final func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
        ReferencedIdentifiers(self).identifier(entity, data)
    }

    /// What the store calls a record; a string or a number. Empty for an identifier that is not the store's.
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
