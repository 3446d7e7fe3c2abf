import Foundation

/// Where the models of a container are stored, if not in a store of the library: describes a store of one's own.
///
/// Two configurations are equal if they describe one store.
public protocol DataStoreConfiguration: Hashable {
    /// The store that is made of the configuration.
    associatedtype Store: DataStore where Store.Configuration == Self
    /// The name.
    var name: String { get }
    /// The models of the store; nil before the configuration is given to a container whose models it then has.
    var schema: Schema? { get set }
    /// Checks the configuration before the store is made.
    ///
    /// - Throws: an error that says what is wrong with it.
    func validate() throws
}

extension DataStoreConfiguration {
    public func validate() throws {}
}

/// A store of one's own: a file of any format, a service, another database.
///
/// It is handed and returns snapshots, values of models that are no objects. A container calls its methods from one
/// thread at a time. Contexts see a store like any other: models, relationships, faults, unsaved changes and merging are
/// those of the library.
///
/// What a store cannot answer itself it leaves to the library, by throwing `DataStoreError.preferInMemoryFilter` or
/// `preferInMemorySort` in `fetch`: it is then asked for all models of the class, which are filtered and sorted in
/// memory.
public protocol DataStore: AnyObject {
    /// What describes the store.
    associatedtype Configuration: DataStoreConfiguration
    /// The values of a model, as the store is handed them and returns them.
    associatedtype Snapshot: DataStoreSnapshot
    /// Opens the store, or makes it. The configuration has a schema.
    init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws
    /// What the store was made of.
    var configuration: Configuration { get }
    /// Identifies the store in the identifiers of its models; the same each time the store is opened.
    var identifier: String { get }
    /// The models of the store.
    var schema: Schema { get }
    /// Returns the snapshots of the models that a descriptor describes, subclasses among them.
    ///
    /// - Throws: `DataStoreError.preferInMemoryFilter` or `preferInMemorySort`, or any other error.
    func fetch<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, Snapshot>
    /// Returns the count of the models that a descriptor describes; by default that of what `fetch` returns.
    func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int
    /// Returns the identifiers of the models that a descriptor describes; by default those of what `fetch` returns.
    func fetchIdentifiers<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]
    /// Writes changes, all of them or none.
    ///
    /// The identifiers of inserted snapshots are provisional; the store gives each an identifier of its own, and says so
    /// in the result. It replaces provisional identifiers wherever snapshots refer to them.
    func save(_ request: DataStoreSaveChangesRequest<Snapshot>) throws -> DataStoreSaveChangesResult<Snapshot>
    /// Removes all models. By default they are fetched, and deleted by a save.
    func erase() throws
    /// Called before the first request of a context.
    func initializeState(for editingState: EditingState)
    /// Called when a context is released.
    func invalidateState(for editingState: EditingState)
    /// Returns snapshots that the store has at hand; by default none, and models are then found by `fetch`.
    func cachedSnapshots(
        for identifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
    public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
        try fetch(request).fetchedSnapshots.count
    }

    public func fetchIdentifiers<T: PersistentModel>(
        _ request: DataStoreFetchRequest<T>
    ) throws -> [PersistentIdentifier] {
        try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
    }

    public func erase() throws {
        let state = EditingState(author: nil)
        var all: [Snapshot] = []
        for entity in schema.entities where entity.superentity == nil {
            all += try snapshots(of: entity.plan.type, state)
        }
        _ = try save(DataStoreSaveChangesRequest(editingState: state, inserted: [], updated: [], deleted: all))
    }

    private func snapshots<T: PersistentModel>(_ type: T.Type, _ state: EditingState) throws -> [Snapshot] {
        try fetch(DataStoreFetchRequest<T>(descriptor: FetchDescriptor(), editingState: state)).fetchedSnapshots
    }

    private func snapshots(of type: any PersistentModel.Type, _ state: EditingState) throws -> [Snapshot] {
        try snapshots(type, state)
    }

    public func initializeState(for editingState: EditingState) {}
    public func invalidateState(for editingState: EditingState) {}

    public func cachedSnapshots(
        for identifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: Snapshot] { [:] }
}

/// The values of a model at one time.
///
/// Its coded form has the keys of `DataStoreSnapshotCodingKey`, by which the library reads the values of a type other
/// than `DefaultSnapshot`.
public protocol DataStoreSnapshot: Codable, Sendable, Identifiable {
    /// Copies the values of a model.
    ///
    /// - Parameter relatedBackingDatas: the values of related models by their identifiers, for those who store them
    ///   together; the library leaves it empty.
    init(
        from backingData: any BackingData,
        relatedBackingDatas: inout [PersistentIdentifier: any BackingData])
    /// The identifier of the model.
    var persistentIdentifier: PersistentIdentifier { get }
    /// Returns the values under another identifier, with identifiers of related models replaced.
    func copy(
        persistentIdentifier: PersistentIdentifier,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> Self
}

extension DataStoreSnapshot {
    /// The identifier of the model.
    public var id: PersistentIdentifier { persistentIdentifier }

    /// Returns the values under another identifier.
    public func copy(persistentIdentifier: PersistentIdentifier) -> Self {
        copy(persistentIdentifier: persistentIdentifier, remappedIdentifiers: nil)
    }
}

/// The keys of a snapshot's coded form.
public enum DataStoreSnapshotCodingKey: CodingKey, Hashable, Sendable {
    /// The identifier of the model.
    case persistentIdentifier
    /// A property of the model, by its name.
    case modeledProperty(String)

    public init?(stringValue: String) {
        self = stringValue == "persistentIdentifier" ? .persistentIdentifier : .modeledProperty(stringValue)
    }
    public init?(intValue: Int) { nil }
    public var intValue: Int? { nil }
    public var stringValue: String {
        switch self {
        case .persistentIdentifier: "persistentIdentifier"
        case .modeledProperty(let name): name
        }
    }
}

/// What a store of one's own cannot do.
public enum DataStoreError: Error, Hashable, Sendable {
    /// The predicate is none that the store can have.
    case invalidPredicate
    /// The library is to filter the models.
    case preferInMemoryFilter
    /// The library is to sort the models.
    case preferInMemorySort
    /// The store does not do what it is asked.
    case unsupportedFeature
}

/// A store of one's own that keeps a history of what was saved in it.
///
/// `ModelContext.fetchHistory(_:)` and `deleteHistory(_:)` with a descriptor of the store's transactions reach it.
public protocol HistoryProviding: DataStore {
    /// The transactions of the history.
    associatedtype HistoryType: HistoryTransaction
    /// The type of the transactions; `HistoryType` by default.
    static var historyType: HistoryType.Type { get }
    /// Returns the transactions that a descriptor describes, in its order, or else that of the commits.
    func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]
    /// Deletes the transactions that a descriptor describes. Models are not changed.
    func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}

extension HistoryProviding {
    public static var historyType: HistoryType.Type { HistoryType.self }
}
