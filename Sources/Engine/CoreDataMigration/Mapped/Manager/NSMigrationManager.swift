import CoreDataGraph
import Synchronization

/// Migrates a store by a mapping model: reads it with the source model, and makes another store of the destination
/// model.
///
/// Invariants:
/// 1. The source store is opened read-only and stays unchanged, whether or not the migration succeeds.
/// 2. The destination store is made under a temporary name and moved to its URL when it is complete; a failed migration
///    leaves no files.
/// 3. Memory use does not grow with the store, except for the associations, which take some fifty bytes per new object.
///
/// The migration runs on the thread that starts it. Meanwhile other threads may use only `migrationProgress` and
/// `cancelMigrationWithError(_:)`.
///
/// ```swift
/// let manager = NSMigrationManager(sourceModel: oldModel, destinationModel: newModel)
/// try manager.migrateStore(
///     from: url, sourceType: NSSQLiteStoreType, with: mapping, toDestinationURL: newURL,
///     destinationType: NSSQLiteStoreType)
/// ```
open class NSMigrationManager: NSObject, @unchecked Sendable {
    private struct Shared {
        var progress: Float = 0
        var isCancelled = false
        var cancellation: (any Error)?
    }

    private let shared = Mutex(Shared())
    /// The session of the running migration, or of the last migration into a store in memory.
    var session: MigrationSession?
    private let idleContexts = (
        NSManagedObjectContext(concurrencyType: .confinementConcurrencyType),
        NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    )

    /// The model of the source store, as passed to the initializer.
    open private(set) var sourceModel: NSManagedObjectModel

    /// The model of the destination store, as passed to the initializer.
    open private(set) var destinationModel: NSManagedObjectModel

    /// The mapping model of the running or last migration; empty before the first one.
    open internal(set) var mappingModel = NSMappingModel()

    /// Whether store types that can change their schema execute inferred mapping models themselves; true by default.
    ///
    /// Such a migration creates no managed objects, so a subclass that customizes them sets this to false; see
    /// `Docs/Migration.md`.
    open var usesStoreSpecificMigrationManager = true

    /// Values of the program, for its policies to share.
    open var userInfo: [AnyHashable: Any]?

    /// The mapping being executed; nil before and after a migration, as in Apple's framework.
    ///
    /// Key-value observable, as is `migrationProgress`; observers are notified on the thread of the migration.
    open internal(set) var currentEntityMapping: NSEntityMapping! {
        willSet { willChangeValue(forKey: "currentEntityMapping") }
        didSet { didChangeValue(forKey: "currentEntityMapping") }
    }

    /// The observers of the manager; nil without observers. Maintained by the library.
    public var keyObservers: KeyObserverRegistry?

    /// The configuration whose entities the stores contain, if a store is migrated in place; nil for all entities.
    var configuration: String?

    /// Makes a manager for migrations from one model to another.
    ///
    /// Required, since `NSPersistentStore.migrationManagerClass()` may return a subclass, which the library then
    /// instantiates.
    public required init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        self.sourceModel = sourceModel
        self.destinationModel = destinationModel
    }

    /// The context that reads the source store; it has a store only during a migration.
    open var sourceContext: NSManagedObjectContext { session?.source.context ?? idleContexts.0 }

    /// The context that creates the destination objects; it has a store only during a migration.
    ///
    /// After a migration into a store in memory it contains the result, until the manager is reset or deallocated.
    open var destinationContext: NSManagedObjectContext { session?.destination.context ?? idleContexts.1 }

    /// The progress of the migration, from 0 to 1; never decreases during a migration. May be read from any thread, and
    /// observed if the observer is added before the migration begins.
    open var migrationProgress: Float { shared.withLock { $0.progress } }

    /// Cancels the running migration at the next object: the migration throws `error`, or `NSMigrationCancelledError`
    /// if it is nil. May be called from any thread.
    open func cancelMigrationWithError(_ error: (any Error)?) {
        shared.withLock { ($0.isCancelled, $0.cancellation) = (true, error) }
    }

    /// Migrates a store: makes another store, of the destination model, by applying the mapping model to its objects.
    ///
    /// The new store has a new UUID and new object identifiers; the program's entries of the metadata are copied. Large
    /// values, and values that a mapping copies without conversion, keep their bytes. Options that request a migration
    /// when a store is added have no effect here. Nothing may exist at `dURL`. After a migration into a store in
    /// memory, `destinationContext` contains the result. The duration is proportional to the number of objects; for
    /// memory use see the class.
    /// - Throws: errors of `NSCocoaErrorDomain`, whose user info contains `mapping`, `entity`, `property` and `method`
    ///   if they are known. `NSMigrationMissingMappingModelError` without a mapping model; `NSMigrationError` if the
    ///   mapping model does not fit the models (thrown before anything is written), if an expression fails, or if
    ///   objects violate the model's validation rules (with the validation error as the underlying error);
    ///   `NSMigrationConstraintViolationError` for violated uniqueness constraints;
    ///   `NSMigrationMissingSourceModelError` if the store does not have the source model;
    ///   `NSMigrationManagerSourceStoreError` and `NSMigrationManagerDestinationStoreError` if a store cannot be opened
    ///   or created; `NSEntityMigrationPolicyError` for errors that a policy throws; and `NSMigrationCancelledError`,
    ///   or the given error, after a cancellation. Nothing remains at the destination then.
    open func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
        with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        try work.migrate(
            StorePlace(url: sourceURL, type: sStoreType, options: sOptions ?? [:]), with: mappings,
            to: StorePlace(url: dURL, type: dStoreType, options: dOptions ?? [:]))
    }

    /// Associates a destination object with its source object, for a mapping.
    ///
    /// Stops the program if the source object was never saved, or if the mapping is not part of the running migration.
    open func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        work.note(sourceInstance, makes: destinationInstance, by: entityMapping)
    }

    /// The objects that a mapping made of the given source objects, in their order and each once; for nil, all objects
    /// that it made.
    ///
    /// For nil, the result contains every object of the mapping at once. Empty if no mapping has the name.
    open func destinationInstances(
        forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        work.destinations(ofMapping: mappingName, sourceInstances)
    }

    /// The source objects of which a mapping made the given objects, in their order and each once; for nil, all of its
    /// source objects.
    ///
    /// For nil, the result contains every source object of the mapping at once. Empty if no mapping has the name.
    open func sourceInstances(
        forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        work.sources(ofMapping: mappingName, destinationInstances)
    }

    /// Removes the associations and contexts of the last migration.
    open func reset() {
        guard currentEntityMapping == nil else { stop("NSMigrationManager.reset() was called during a migration.") }
        session?.close()
        session = nil
        shared.withLock { $0 = Shared() }
    }

    /// The source entity of a mapping, from the model of `sourceContext`; nil if the mapping has none.
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.sourceEntityName.flatMap { (session?.source.model ?? sourceModel).entitiesByName[$0] }
    }

    /// The destination entity of a mapping, from the model of `destinationContext`; nil if the mapping has none.
    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.destinationEntityName.flatMap { (session?.destination.model ?? destinationModel).entitiesByName[$0] }
    }

    // MARK: Reports of a migration

    func begin() { shared.withLock { $0 = Shared() } }

    func note(progress: Float) {
        changeValue(forKey: "migrationProgress") {
            shared.withLock { $0.progress = max($0.progress, min(progress, 1)) }
        }
    }

    /// - Throws: the error of the cancellation, if the migration was canceled.
    func checkCancellation() throws {
        let (isCancelled, error) = shared.withLock { ($0.isCancelled, $0.cancellation) }
        if isCancelled { throw error ?? MigrationFailure.cancelled() }
    }
}

/// The implementation of the manager's open methods. The methods themselves are declared in the class, since programs
/// can override only those; an extension implements this protocol.
protocol MigrationWork {
    /// Makes a store at `to` by applying a mapping model to the objects of the store at `from`.
    func migrate(_ from: StorePlace, with mappings: NSMappingModel?, to: StorePlace) throws
    /// Associates a destination object with its source object, for a mapping.
    func note(
        _ sourceInstance: NSManagedObject, makes destinationInstance: NSManagedObject, by entityMapping: NSEntityMapping
    )
    /// The objects that a mapping made of the given source objects; for nil, all objects that it made.
    func destinations(ofMapping mappingName: String, _ sourceInstances: [NSManagedObject]?) -> [NSManagedObject]
    /// The source objects of which a mapping made the given objects; for nil, all of its source objects.
    func sources(ofMapping mappingName: String, _ destinationInstances: [NSManagedObject]?) -> [NSManagedObject]
}

extension NSMigrationManager {
    /// The manager as the implementation of its open methods.
    fileprivate var work: any MigrationWork { self }
}

extension NSMigrationManager: KeyValueObserving {
    /// The key of a property that can be observed; nil for other key paths.
    public static func key(of keyPath: AnyKeyPath) -> String? {
        switch keyPath {
        case \NSMigrationManager.migrationProgress: "migrationProgress"
        case \NSMigrationManager.currentEntityMapping: "currentEntityMapping"
        default: nil
        }
    }

    /// The value of a property by its key, for `$manager` in expressions.
    ///
    /// - Throws: `UnknownKeyError` for any other key.
    public func codedValue(forKey key: String) throws -> Any? {
        switch key {
        case "sourceContext": return sourceContext
        case "destinationContext": return destinationContext
        case "sourceModel": return sourceModel
        case "destinationModel": return destinationModel
        case "mappingModel": return mappingModel
        case "userInfo": return userInfo
        case "currentEntityMapping": return currentEntityMapping
        case "migrationProgress": return migrationProgress
        default: throw unknownKey(key)
        }
    }

    /// The keys for which `codedValue(forKey:)` returns values.
    public var codedKeys: [String] {
        [
            "sourceContext", "destinationContext", "sourceModel", "destinationModel", "mappingModel", "userInfo",
            "currentEntityMapping", "migrationProgress",
        ]
    }
}
