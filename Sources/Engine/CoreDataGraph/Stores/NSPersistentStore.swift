import CoreDataStore
import Synchronization

/// A store of records: a file, a database on a server, or memory.
///
/// A store belongs to one coordinator at a time. One thread at a time uses the store itself (`serialized`); if the
/// store has readers, other threads read with these meanwhile.
///
/// ```swift
/// for store in container.persistentStoreCoordinator.persistentStores {
///     print(store.type, store.url?.path ?? "in memory", store.isReadOnly)
/// }
/// ```
open class NSPersistentStore: NSObject, AssociationHolder, @unchecked Sendable, StoreClass {
    /// The values that programs associate with the store.
    final package var associatedObjects: AssociatedObjects?

    let access = StoreAccess()
    /// Checks whether the store can be used.
    let healthCheck = StoreHealthCheck()
    private var bindings: [EntityBinding?] = []
    private var number = 0
    private var chosenReadOnly: Bool?
    /// The cache of rows that the coordinator has read or saved.
    @exclusivity(unchecked) final package private(set) var rowCache = RowCache(rootCount: 0)

    /// The functions of the system that the store uses; a test sets them before the store is used.
    package final var environment: Environment {
        get { rowCache.environment }
        set { rowCache.environment = newValue }
    }

    /// The coordinator that the store has been added to.
    open internal(set) var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { coordinatorReference.withLock { $0 }?.object }
        set { coordinatorReference.withLock { $0 = newValue?.zeroingReference } }
    }

    private let coordinatorReference = Mutex<ZeroingReference<NSPersistentStoreCoordinator>?>(nil)

    /// Reports commits to the store.
    let remoteChanges = RemoteChangeMonitor()

    /// Deletes expired history.
    let historyTrimmer = HistoryTrimmer()

    /// The reference by which bindings refer to the store.
    let zeroingReference = ZeroingReference<NSPersistentStore>()
    /// The references of the stores that this one has replaced, whose bindings it uses.
    private let inheritedReferences = Mutex<[ZeroingReference<NSPersistentStore>]>([])
    private let hasSuccessor = Atomic(false)

    /// The configuration of the model whose entities the store keeps; nil for all.
    open private(set) var configurationName: String?

    /// The options that the store was added with.
    open private(set) var options: [AnyHashable: Any]?

    /// Whether comparisons in fetches do not match nil, as in SQL (`CoreDataNullComparisonOption`).
    let excludesNull: Bool

    /// Whether notifications are posted after commits to the store.
    final package let postsRemoteChanges: Bool

    /// How long the store's history is kept; nil for unlimited.
    let historyRetention: PersistentHistoryRetention?

    /// The number of times that others have changed the metadata; used while the store is locked.
    final var foreignMetadataChanges = 0

    /// The measured sizes of transactions, if the size of the history is limited; used while the store is locked.
    final var historyWindow: HistoryWindow?

    /// The URL of the store.
    open var url: URL? {
        didSet { access.recordedName.withLock { $0 = nil } }
    }

    /// The store's UUID, which object identifiers contain.
    open var identifier: String! = UUID().uuidString

    /// The store type, such as `NSSQLiteStoreType`.
    open var type: String { "" }

    /// Whether the store refuses to save. The default is in its options; it can be set before the store is loaded.
    ///
    /// Setting it after loading stops the program.
    open var isReadOnly: Bool {
        get { chosenReadOnly ?? options?[NSReadOnlyPersistentStoreOption] as? Bool ?? false }
        set {
            guard objects == nil else {
                stop("A store cannot be made read-only, or writable, once it has been loaded.")
            }
            chosenReadOnly = newValue
        }
    }

    /// The optional features that a kind of store may support.
    public typealias Capabilities = StoreCapabilities

    /// The optional features that the store supports; none unless a subclass overrides this property.
    open var capabilities: Capabilities { [] }

    /// The metadata of the store, including the version hashes of its model.
    open var metadata: [String: Any]! = [:] { didSet { hasUnsavedMetadata = true } }

    /// Whether the metadata was changed since the store last wrote it. Set while the store is locked; any thread may
    /// read it.
    package final var hasUnsavedMetadata: Bool {
        get { unsavedMetadata.load(ordering: .acquiring) }
        set { unsavedMetadata.store(newValue, ordering: .releasing) }
    }

    private let unsavedMetadata = Atomic(false)

    /// Makes a store that is not yet open.
    public required init(
        persistentStoreCoordinator coordinator: NSPersistentStoreCoordinator?, configurationName: String?, at url: URL,
        options: [AnyHashable: Any]?
    ) {
        self.configurationName = configurationName
        self.options = options
        excludesNull = options?[CoreDataNullComparisonOption] as? Bool ?? false
        postsRemoteChanges = options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey] as? Bool ?? false
        historyRetention = PersistentHistoryRetention(option: options?[CoreDataHistoryRetentionOption])
        historyWindow = historyRetention?.maximumSize.map { HistoryWindow(limit: Int64($0)) }
        self.url = url
        super.init()
        zeroingReference.point(to: self)
        persistentStoreCoordinator = coordinator
    }

    deinit {
        guard !isSucceeded else { return }
        zeroingReference.empty()
        for reference in inheritedReferences.withLock({ $0 }) { reference.empty() }
    }

    /// Opens the store and reads its metadata; a new store is created.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` saying why the store cannot be used.
    open func loadMetadata() throws {}

    /// Prepares a store after a subclass has loaded its metadata; kinds that need no preparation do nothing.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` saying why the store cannot be used.
    func finishLoading() throws {}

    /// Releases what `finishLoading()` prepared.
    func endServing() {}

    /// The reference objects of the records, for a store with a custom class that is loaded; nil for other kinds.
    final var referenceKeys: ReferenceKeys?

    /// The records for which contexts have objects, if the kind of store works with objects; nil for others.
    final var registrations: StoreRegistrations?

    /// Called after the store has been added to a coordinator.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

    /// Called before the store is removed from its coordinator.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

    /// Returns the metadata of a store that is not open.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw CoreDataError.make(
            NSPersistentStoreInvalidTypeError, "\(Self.self) cannot read the metadata of a store that is not open.")
    }

    /// Writes the metadata of a store that is not open; everything else in the store remains unchanged.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain`; `NSPersistentStoreInvalidTypeError` unless a subclass overrides it.
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw CoreDataError.make(
            NSPersistentStoreInvalidTypeError, "\(Self.self) cannot write the metadata of a store that is not open.",
            hint: "Add the store and set its metadata with setMetadata(_:for:).")
    }

    /// The class that migrates stores of this class by mapping models when they are opened: `NSMigrationManager`, or a
    /// subclass of it that an override returns.
    open class func migrationManagerClass() -> AnyClass { StoreToOpen.managerClass }

    /// The type that destroys, copies and renames stores of the kind that are closed; nil for kinds that are plain
    /// files.
    package class var administration: (any StoreAdministering.Type)? { nil }

    /// The type that migrates the schema of stores of the kind that are not open; nil for kinds that cannot do that.
    package class var schemaMigrating: (any SchemaMigrating.Type)? { nil }

    /// Returns the model that is cached in a store which is not open; nil if there is none.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` if it cannot be read.
    package class func keptModel(at url: URL) throws -> NSManagedObjectModel? { nil }

    /// Whether a store that is not open keeps history, for kinds whose tools cannot read the file.
    package class func keepsHistory(at url: URL) throws -> Bool { false }

    /// Returns a reader that executes SQL statements in a store on a server; nil for kinds that are files or in memory.
    package class func statementReading(at url: URL) throws -> (any StatementReading)? { nil }

    /// Returns the URL of a store for display, without passwords and other secrets.
    package class func shownURL(_ url: URL) -> URL { url }

    /// Continues the store at another URL, where the same store is; a plain file is written there at the next save.
    ///
    /// Called while the store is locked.
    package func relocate(to url: URL) throws { self.url = url }

    /// The backend that reads and writes the records; nil if the store is not open. May be read on any thread.
    package final var objects: (any ObjectStore)? {
        get { openObjects.withLock { $0 }.value }
        set {
            let objects = Transferred(newValue)
            openObjects.withLock { $0 = objects }
        }
    }

    /// Whether the store has been loaded and not yet been removed.
    package final var isOpen: Bool { objects != nil }

    private let openObjects = Mutex(Transferred<(any ObjectStore)?>(nil))

    /// The kinds of store that come with the library.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        /// The value by which it is stored and compared.
        public let rawValue: String

        /// Makes a store type with a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A SQLite file.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// A schema of a PostgreSQL database; not in Apple's framework.
        public static let postgreSQL = StoreType(rawValue: CoreDataPostgreSQLStoreType)
        /// One binary file, read and written as a whole.
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        /// Records in memory, which are not written to a file.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
        /// One XML file, read and written as a whole.
        public static let xml = StoreType(rawValue: NSXMLStoreType)
    }
}

extension NSPersistentStore: BackendDelegate {
    /// Runs a block while no other thread uses the store itself; reads with the store's readers continue.
    package func serialized<Result>(_ body: () throws -> Result) rethrows -> Result {
        try access.withLock(body)
    }

    /// Runs a block while no other thread uses the store itself; returns nil without waiting if another thread uses it.
    func serializedIfFree<Result>(_ body: () throws -> Result?) rethrows -> Result? {
        guard access.take() else { return nil }
        defer { access.leave() }
        return try body()
    }

    /// Prepares the store for the entities of its coordinator's model; `number` is the store's own, and at least 1.
    func attach(number: Int, model: ModelLayout) {
        self.number = number
        rowCache = RowCache(rootCount: model.rootCount)
        bindings = model.entities.map { EntityBinding(layout: $0, store: self, storeNumber: number) }
    }

    /// Prepares the store to replace another one whose records it has under the same keys: after `takeObjects(of:)`,
    /// the rows and objects of the other store are its own.
    func attach(succeeding other: NSPersistentStore, model: ModelLayout) {
        number = other.number
        rowCache = RowCache(rootCount: model.rootCount)
        bindings = other.bindings
    }

    /// Makes the objects and rows of another store, which has been closed, those of this store. Does nothing unless
    /// this store was attached to succeed that one.
    func takeObjects(of other: NSPersistentStore) {
        guard other.number == number, other !== self else { return }
        other.hasSuccessor.store(true, ordering: .releasing)
        let references = other.inheritedReferences.withLock { $0 } + [other.zeroingReference]
        inheritedReferences.withLock { $0 += references }
        for reference in references { reference.point(to: self) }
    }

    /// Whether another store has taken over this one's objects.
    var isSucceeded: Bool { hasSuccessor.load(ordering: .acquiring) }

    /// Returns the binding of an entity to this store, which the entity's objects share.
    package func binding(for layout: EntityLayout) -> EntityBinding {
        if layout.number < bindings.count, let known = bindings[layout.number] { return known }
        return EntityBinding(layout: layout, store: self, storeNumber: number)
    }

    package func publish(_ slab: RowSlab) { rowCache.publish(slab) }

    /// Whether the store's configuration contains an entity.
    package func keeps(_ entity: NSEntityDescription, of model: NSManagedObjectModel) -> Bool {
        model.keeps(entity, configuration: configurationName)
    }
}

extension NSPersistentStore {
    /// Adopts metadata that others have written, unless it has unsaved metadata. Called while the store is locked.
    final func adoptForeignMetadata() throws {
        guard let (former, present) = try objects?.changeWatching?.takeForeignMetadata() else { return }
        if !MetadataRules.areEqual(Self.withoutReaders(former), Self.withoutReaders(present)) {
            foreignMetadataChanges += 1
        }
        guard !hasUnsavedMetadata else { return }
        metadata = MetadataRules.merged(present, keeping: metadata ?? [:])
        hasUnsavedMetadata = false
    }

    /// Returns the metadata without the positions of history readers, whose changes are not reported.
    private static func withoutReaders(_ metadata: [String: Any]) -> [String: Any] {
        metadata.filter { !$0.key.hasPrefix(historyReaderPrefix) }
    }

    /// The prefix of metadata keys for the positions of named history readers.
    static var historyReaderPrefix: String { "CoreDataHistoryReader." }
}
