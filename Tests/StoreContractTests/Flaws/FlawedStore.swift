import CoreData
import StoreContract

@testable import CoreDataSQLite

/// A store that hands everything on to the SQLite store, through a layer that may get something wrong.
final class FlawedStore<Layer: PassingLayer>: NSPersistentStore, @unchecked Sendable {
    private var file: StoreFile?
    private var stored: [String: Any] = [:]

    override var type: String { "\(Layer.self)" }
    override var capabilities: Capabilities { [.durable, .shared, .derivedAttributes, .uniqueValues] }
    override var metadata: [String: Any]! {
        get { stored }
        set { stored = newValue }
    }

    override func loadMetadata() throws {
        guard let url, let coordinator = persistentStoreCoordinator else { return }
        let opening = SQLiteStoreOpening(url: url, options: options ?? [:], configuration: configurationName)
        let opened = try opening.open(layouts: coordinator.modelLayout, store: self)
        file = opened.file
        stored = opened.metadata
        identifier = opened.identifier
        objects = Layer(opened.file)
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        objects = nil
        file?.close()
        file = nil
    }

    /// Registers the store and gives its kind.
    static func kind() -> StoreKind {
        NSPersistentStoreCoordinator.registerStoreClass(Self.self, forStoreType: "\(Layer.self)")
        return StoreKind(type: "\(Layer.self)", capabilities: [.durable, .shared, .derivedAttributes, .uniqueValues])
    }
}

/// Hands everything on as it is; each flaw overrides one thing.
class PassingLayer: ObjectStore {
    let inner: any ObjectStore
    required init(_ inner: any ObjectStore) { self.inner = inner }

    var isReadOnly: Bool { inner.isReadOnly }
    var roundsDecimals: Bool { inner.roundsDecimals }
    func fetch(_ query: FetchQuery) throws -> FetchedRows { try inner.fetch(query) }
    func count(_ query: FetchQuery) throws -> Int { try inner.count(query) }
    func values(_ query: ValueQuery, _ body: (ValueTable) -> Void) throws { try inner.values(query, body) }
    func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] { try inner.rows(of: binding, keys: keys) }
    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> AddressList { try inner.members(of: relationship, owner: owner, key: key) }
    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows { try inner.members(of: relationship, owner: owner, keys: keys) }
    func save(_ plan: SavePlan) throws -> SaveOutcome { try inner.save(altered(plan)) }
    func checkOutKeys(_ demand: KeyDemand) throws -> KeyGrant { try inner.checkOutKeys(demand) }
    func checkInKeys(_ grant: KeyGrant) { inner.checkInKeys(grant) }
    func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant { try inner.reserveKeys(demand) }
    func largeValue(stored: UnsafeRawBufferPointer) throws -> Data { try inner.largeValue(stored: stored) }
    func largeValueWriter() -> any LargeValueWriting { inner.largeValueWriter() }

    /// What is saved instead of a plan.
    func altered(_ plan: SavePlan) -> SavePlan { plan }
}
