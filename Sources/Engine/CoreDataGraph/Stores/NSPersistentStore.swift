import CoreDataStore
import Synchronization

/// One place where records are kept: a file, or memory.
///
/// A store belongs to one coordinator at a time, which calls it from one thread at a time (`serialized`); where it has
/// readers, other threads read beside that one.
///
/// ```swift
/// for store in container.persistentStoreCoordinator.persistentStores {
///     print(store.type, store.url?.path ?? "in memory", store.isReadOnly)
/// }
/// ```
open class NSPersistentStore: NSObject, AssociationHolder, @unchecked Sendable, StoreClass {
    /// What programs associate with it.
    final package var associatedObjects: AssociatedObjects?

    let access = StoreAccess()
    /// Finds out whether the store can be used.
    let healthCheck = StoreHealthCheck()
    private var bindings: [EntityBinding?] = []
    private var number = 0
    private var chosenReadOnly: Bool?
    /// The rows that the store's coordinator knows.
    @exclusivity(unchecked) final package private(set) var rowCache = RowCache(rootCount: 0)

    /// What the store takes from the world; a test sets it before the store is used.
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

    /// Reports what is committed to the store.
    let remoteChanges = RemoteChangeMonitor()

    /// Deletes history that need not be kept.
    let historyTrimmer = HistoryTrimmer()

    /// What bindings lead to the store by.
    let zeroingReference = ZeroingReference<NSPersistentStore>()
    /// Those of the stores in whose place this one has come, and whose bindings it has.
    private let inheritedReferences = Mutex<[ZeroingReference<NSPersistentStore>]>([])
    private let hasSuccessor = Atomic(false)

    /// The configuration of the model whose entities the store keeps; nil for all.
    open private(set) var configurationName: String?

    /// The options that the store was added with.
    open private(set) var options: [AnyHashable: Any]?

    /// Whether fetches leave out nil where SQL does.
    let excludesNull: Bool

    /// Whether notifications are posted of the store's commits.
    final package let postsRemoteChanges: Bool

    /// How long the store's history is kept; nil for unlimited.
    let historyRetention: PersistentHistoryRetention?

    /// How often others have changed the metadata; used while the store is locked.
    final var foreignMetadataChanges = 0

    /// What the rule for the size of the history has measured; used while the store is locked.
    final var historyWindow: HistoryWindow?

    /// Where the store is.
    open var url: URL? {
        didSet { access.recordedName.withLock { $0 = nil } }
    }

    /// The store's own identity, which object identifiers contain.
    open var identifier: String! = UUID().uuidString

    /// The store type, such as `NSSQLiteStoreType`.
    open var type: String { "" }

    /// Whether the store refuses to save; as its options say unless it is set before the store is loaded.
    ///
    /// Stops when it is set afterwards.
    open var isReadOnly: Bool {
        get { chosenReadOnly ?? options?[NSReadOnlyPersistentStoreOption] as? Bool ?? false }
        set {
            guard objects == nil else {
                stop("A store cannot be made read-only, or writable, once it has been loaded.")
            }
            chosenReadOnly = newValue
        }
    }

    /// What a kind of store can do beyond what every store must.
    public typealias Capabilities = StoreCapabilities

    /// The optional capabilities of the store; empty unless a subclass overrides it.
    open var capabilities: Capabilities { [] }

    /// The metadata of the store and of the model that it was made with.
    open var metadata: [String: Any]! = [:] { didSet { hasUnsavedMetadata = true } }

    /// Whether the metadata was changed since the store last wrote it; set while the store is locked, read by any thread.
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

    /// Prepares a store whose metadata a subclass has just loaded; nothing for kinds that do so themselves.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` saying why the store cannot be used.
    func finishLoading() throws {}

    /// Releases what `finishLoading()` prepared.
    func endServing() {}

    /// What records are called while a store of the user's own is being loaded, and afterwards; nil for other kinds.
    final var referenceKeys: ReferenceKeys?

    /// Which records contexts have objects of, where the kind works with objects; nil for kinds that know rows alone.
    final var registrations: StoreRegistrations?

    /// Called after the store has been added to a coordinator.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

    /// Called before the store is removed from its coordinator.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

    /// The metadata of a store that is not open.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw CoreDataError.make(
            NSPersistentStoreInvalidTypeError, "\(Self.self) cannot read the metadata of a store that is not open.")
    }

    /// Writes the metadata of a store that is not open; without effect on all else in it.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain`; `NSPersistentStoreInvalidTypeError` unless a subclass overrides it.
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw CoreDataError.make(
            NSPersistentStoreInvalidTypeError, "\(Self.self) cannot write the metadata of a store that is not open.",
            hint: "Add the store and set its metadata with setMetadata(_:for:).")
    }

    /// The class whose objects migrate stores of the kind by mapping models when they are opened: `NSMigrationManager`, or a
    /// subclass of it that a subclass names.
    open class func migrationManagerClass() -> AnyClass { StoreToOpen.managerClass }

    /// What handles stores of the kind that are not open; nil for kinds that are one plain file each.
    package class var administration: (any StoreAdministering.Type)? { nil }

    /// What changes the schema of stores of the kind that are not open; nil for kinds that cannot.
    package class var schemaMigrating: (any SchemaMigrating.Type)? { nil }

    /// The model that a store which is not open carries; nil for one that carries none.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` when it cannot be read.
    package class func keptModel(at url: URL) throws -> NSManagedObjectModel? { nil }

    /// Whether a store that is not open keeps a history, for kinds whose tools cannot look into the file.
    package class func keepsHistory(at url: URL) throws -> Bool { false }

    /// What asks a store on a server by statements of SQL; nil for kinds that are files or in memory.
    package class func statementReading(at url: URL) throws -> (any StatementReading)? { nil }

    /// The URL of a store for display, without passwords and other secrets.
    package class func shownURL(_ url: URL) -> URL { url }

    /// Continues at another place, where the same store is; one of a plain file is written there at its next save.
    ///
    /// Called while the store is locked.
    package func relocate(to url: URL) throws { self.url = url }

    /// What the store keeps records with, while it is open. May be read on any thread.
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

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A file of SQLite.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// A schema of a PostgreSQL database; not one of Apple's.
        public static let postgreSQL = StoreType(rawValue: CoreDataPostgreSQLStoreType)
        /// One binary file, read and written as a whole.
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        /// Memory.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
        /// One XML file, read and written as a whole.
        public static let xml = StoreType(rawValue: NSXMLStoreType)
    }
}

extension NSPersistentStore: BackendDelegate {
    /// Runs a block while no other thread uses the store itself; its readers continue.
    package func serialized<Result>(_ body: () throws -> Result) rethrows -> Result {
        try access.withLock(body)
    }

    /// Runs a block while no other thread uses the store itself; gives nil where it would have to wait for that.
    func serializedIfFree<Result>(_ body: () throws -> Result?) rethrows -> Result? {
        guard access.take() else { return nil }
        defer { access.leave() }
        return try body()
    }

    /// Prepares the store for the entities of its coordinator's model; `number` is at least 1 and the store's own.
    func attach(number: Int, model: ModelLayout) {
        self.number = number
        rowCache = RowCache(rootCount: model.rootCount)
        bindings = model.entities.map { EntityBinding(layout: $0, store: self, storeNumber: number) }
    }

    /// Prepares the store to take the place of another, whose records it has under the same keys: rows and objects of the
    /// other store are its own once `takeObjects(of:)` has been called.
    func attach(succeeding other: NSPersistentStore, model: ModelLayout) {
        number = other.number
        rowCache = RowCache(rootCount: model.rootCount)
        bindings = other.bindings
    }

    /// Makes objects and rows of another store, which has been closed, those of this one; nothing unless it was attached for that.
    func takeObjects(of other: NSPersistentStore) {
        guard other.number == number, other !== self else { return }
        other.hasSuccessor.store(true, ordering: .releasing)
        let references = other.inheritedReferences.withLock { $0 } + [other.zeroingReference]
        inheritedReferences.withLock { $0 += references }
        for reference in references { reference.point(to: self) }
    }

    /// Whether another store has taken over this one's objects.
    var isSucceeded: Bool { hasSuccessor.load(ordering: .acquiring) }

    /// What objects of an entity share when they live in this store.
    package func binding(for layout: EntityLayout) -> EntityBinding {
        if layout.number < bindings.count, let known = bindings[layout.number] { return known }
        return EntityBinding(layout: layout, store: self, storeNumber: number)
    }

    package func publish(_ slab: RowSlab) { rowCache.publish(slab) }

    /// Whether records of an entity are kept here.
    package func keeps(_ entity: NSEntityDescription, of model: NSManagedObjectModel) -> Bool {
        model.keeps(entity, configuration: configurationName)
    }
}

extension NSPersistentStore {
    /// Takes over metadata that others have written, unless it has unsaved changes here. Called while
    /// the store is locked.
    final func adoptForeignMetadata() throws {
        guard let (former, present) = try objects?.changeWatching?.takeForeignMetadata() else { return }
        if !MetadataRules.areEqual(Self.withoutReaders(former), Self.withoutReaders(present)) {
            foreignMetadataChanges += 1
        }
        guard !hasUnsavedMetadata else { return }
        metadata = MetadataRules.merged(present, keeping: metadata ?? [:])
        hasUnsavedMetadata = false
    }

    /// The metadata without the positions of history readers, whose changes are not reported.
    private static func withoutReaders(_ metadata: [String: Any]) -> [String: Any] {
        metadata.filter { !$0.key.hasPrefix(historyReaderPrefix) }
    }

    /// The prefix of metadata keys for the positions of named history readers.
    static var historyReaderPrefix: String { "CoreDataHistoryReader." }
}
