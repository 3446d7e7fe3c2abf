import CoreDataGraph
import Synchronization

/// Migrates a store by a mapping model: reads the store with one model and makes another with the other model.
///
/// Invariants:
/// 1. The source is opened read-only and stays as it is, whatever happens.
/// 2. The destination is made beside its place and moved there when it is complete; a failed migration leaves no files.
/// 3. Memory use does not grow with the store, except for the association table, with some fifty bytes for each new object.
///
/// One thread migrates, and only it may use the manager meanwhile, but for `migrationProgress` and
/// `cancelMigrationWithError(_:)`, which any thread may use.
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
    /// The session of the running migration, or of the last one into memory.
    var session: MigrationSession?
    private let idleContexts = (
        NSManagedObjectContext(concurrencyType: .confinementConcurrencyType),
        NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    )

    /// The model of the source store, as it was given.
    open private(set) var sourceModel: NSManagedObjectModel

    /// The model of the destination store, as it was given.
    open private(set) var destinationModel: NSManagedObjectModel

    /// The mapping model of the running migration, or of the last one; without mappings before the first.
    open internal(set) var mappingModel = NSMappingModel()

    /// Whether stores that can change their schema may carry out an inferred mapping model themselves; true at first.
    ///
    /// No managed objects are created then, so a subclass that customizes them sets it to false; see `Docs/Migration.md`.
    open var usesStoreSpecificMigrationManager = true

    /// Values of the program, which its policies can share.
    open var userInfo: [AnyHashable: Any]?

    /// The mapping that is being carried out; nil before and after a migration, as in Apple's framework.
    ///
    /// It can be observed by key, as can `migrationProgress`; observers are notified on the thread that migrates.
    open internal(set) var currentEntityMapping: NSEntityMapping! {
        willSet { willChangeValue(forKey: "currentEntityMapping") }
        didSet { didChangeValue(forKey: "currentEntityMapping") }
    }

    /// The observers of the manager; nil without observers. Maintained by the library.
    public var keyObservers: KeyObserverRegistry?

    /// The configuration whose entities the stores keep, when a store is migrated where it is; nil for all.
    var configuration: String?

    /// Makes a manager for migrations from one model to another.
    ///
    /// Required, since a store's class may name a subclass: `NSPersistentStore.migrationManagerClass()`.
    public required init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        self.sourceModel = sourceModel
        self.destinationModel = destinationModel
    }

    /// The context that reads the source store; without a store except during a migration.
    open var sourceContext: NSManagedObjectContext { session?.source.context ?? idleContexts.0 }

    /// The context that makes the destination store; without a store except during a migration.
    ///
    /// After a migration into memory it contains the result, until the manager is released or reset.
    open var destinationContext: NSManagedObjectContext { session?.destination.context ?? idleContexts.1 }

    /// How much of the migration is done, from 0 to 1; never falls during one. Any thread may ask, and observe it by key
    /// before the migration begins.
    open var migrationProgress: Float { shared.withLock { $0.progress } }

    /// Ends the running migration at the next object: it throws the error, or `NSMigrationCancelledError` for nil. Any thread may call
    /// it.
    open func cancelMigrationWithError(_ error: (any Error)?) {
        shared.withLock { ($0.isCancelled, $0.cancellation) = (true, error) }
    }

    /// Migrates a store: makes another one with the destination model, from its objects by the mapping model.
    ///
    /// The new store has a new identity and new object identifiers; the program's own metadata is copied. Large
    /// values and those that a mapping takes over unchanged are the same to the byte. Options that ask for a migration
    /// when a store is added are without effect here. There must be nothing at `dURL`; into a store in memory the result is
    /// in `destinationContext`. Takes time in proportion to the objects; for memory see the class.
    /// - Throws: errors of `NSCocoaErrorDomain`, whose user info names `mapping`, `entity`, `property` and `method` as far as they are
    ///   known: `NSMigrationMissingMappingModelError` without a mapping model; `NSMigrationError` for one that does not fit the models,
    ///   before anything is written, for an expression that fails, and for objects that break a rule of the model, with that rule's error
    ///   beneath; `NSMigrationConstraintViolationError` for values that must be unique; `NSMigrationMissingSourceModelError` for a store
    ///   of another model than the source model; `NSMigrationManagerSourceStoreError` and `NSMigrationManagerDestinationStoreError` for
    ///   stores that cannot be opened or made; `NSEntityMigrationPolicyError` for what a policy throws; `NSMigrationCancelledError`, or
    ///   the error that was given, for a migration that was cancelled. Nothing is left at the destination then.
    open func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
        with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        try work.migrate(
            StorePlace(url: sourceURL, type: sStoreType, options: sOptions ?? [:]), with: mappings,
            to: StorePlace(url: dURL, type: dStoreType, options: dOptions ?? [:]))
    }

    /// Notes that an object was made of another by a mapping.
    ///
    /// Stops for a source object without a record, and for a mapping that is not of the migration.
    open func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        work.note(sourceInstance, makes: destinationInstance, by: entityMapping)
    }

    /// What a mapping made of objects, in their order and each object once; what it made of all objects for nil.
    ///
    /// The result for nil is as large as what the mapping made. Empty for a name that no mapping has.
    open func destinationInstances(
        forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        work.destinations(ofMapping: mappingName, sourceInstances)
    }

    /// What objects were made of by a mapping, in their order and each object once; all that it used for nil.
    ///
    /// The result for nil is as large as what the mapping used. Empty for a name that no mapping has.
    open func sourceInstances(
        forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        work.sources(ofMapping: mappingName, destinationInstances)
    }

    /// Forgets the associations and contexts of the last migration.
    open func reset() {
        guard currentEntityMapping == nil else { stop("NSMigrationManager.reset() was called during a migration.") }
        session?.close()
        session = nil
        shared.withLock { $0 = Shared() }
    }

    /// The entity of the source model that a mapping is from, as the source context has it; nil for a mapping without one.
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.sourceEntityName.flatMap { (session?.source.model ?? sourceModel).entitiesByName[$0] }
    }

    /// The entity of the destination model that a mapping is to, as the destination context has it; nil for a mapping without one.
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

    /// - Throws: the error of a cancellation.
    func checkCancellation() throws {
        let (isCancelled, error) = shared.withLock { ($0.isCancelled, $0.cancellation) }
        if isCancelled { throw error ?? MigrationFailure.cancelled() }
    }
}

/// What the open methods of a manager do, which stands above managers: they must be declared in the class, for programs to
/// override.
protocol MigrationWork {
    /// Makes a store of what a mapping model makes of the objects of another.
    func migrate(_ from: StorePlace, with mappings: NSMappingModel?, to: StorePlace) throws
    /// Notes that an object was made of another by a mapping.
    func note(
        _ sourceInstance: NSManagedObject, makes destinationInstance: NSManagedObject, by entityMapping: NSEntityMapping
    )
    /// What a mapping made of objects; what it made of all objects for nil.
    func destinations(ofMapping mappingName: String, _ sourceInstances: [NSManagedObject]?) -> [NSManagedObject]
    /// What objects were made of by a mapping; all that it used for nil.
    func sources(ofMapping mappingName: String, _ destinationInstances: [NSManagedObject]?) -> [NSManagedObject]
}

extension NSMigrationManager {
    /// The work of the open methods.
    fileprivate var work: any MigrationWork { self }
}

extension NSMigrationManager: KeyValueObserving {
    /// The names of the properties that can be observed.
    public static func key(of keyPath: AnyKeyPath) -> String? {
        switch keyPath {
        case \NSMigrationManager.migrationProgress: "migrationProgress"
        case \NSMigrationManager.currentEntityMapping: "currentEntityMapping"
        default: nil
        }
    }

    /// The value of a property by name, for `$manager` in expressions.
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

    /// The keys that are answered.
    public var codedKeys: [String] {
        [
            "sourceContext", "destinationContext", "sourceModel", "destinationModel", "mappingModel", "userInfo",
            "currentEntityMapping", "migrationProgress",
        ]
    }
}
