import CoreDataStore

/// Which replicas one context reads, with the rows read from them.
struct ReplicaReading {
    /// The position in the history that a replica must have reached to be read; nil for any.
    let token: NSPersistentHistoryToken?
    private var rows: [ObjectIdentifier: ReplicaRows] = [:]

    init(after token: NSPersistentHistoryToken?) { self.token = token }

    /// The rows of a store's replicas; nil for a store without replicas.
    mutating func rows(of store: NSPersistentStore, for context: NSManagedObjectContext) -> ReplicaRows? {
        if let known = rows[ObjectIdentifier(store)], known.store === store { return known }
        guard let replicas = store.objects?.replicas else { return nil }
        let made = ReplicaRows(
            replicas, of: store, for: context, after: store.identifier.flatMap { token?.numbers[$0] })
        rows[ObjectIdentifier(store)] = made
        return made
    }
}

/// The rows of one store, read by one context from replicas.
///
/// Used on the context's queue. The rows have a separate cache, since other contexts must not see outdated rows. Each
/// change that the coordinator knows of empties the cache, so that no row is older than the saves before it was read.
///
/// While the context has unsaved changes it reads the store itself, since the save depends on what it reads.
final class ReplicaRows: RowSource {
    /// The number of replicas that are tried before the store is read.
    private static let mostAttempts = 3

    let store: NSPersistentStore
    private let replicas: any ReplicaProviding
    private unowned let context: NSManagedObjectContext
    private let transaction: Int64?
    private var cache: RowCache
    private var changeNumber: UInt64

    init(
        _ replicas: any ReplicaProviding, of store: NSPersistentStore, for context: NSManagedObjectContext,
        after transaction: Int64?
    ) {
        self.replicas = replicas
        self.store = store
        self.context = context
        self.transaction = transaction
        changeNumber = store.rowCache.changeNumber
        cache = Self.emptyCache(of: store)
    }

    private static func emptyCache(of store: NSPersistentStore) -> RowCache {
        let cache = RowCache(rootCount: store.rowCache.rootCount)
        cache.environment = store.environment
        return cache
    }

    var isOpen: Bool { store.isOpen }

    var rowCache: RowCache {
        let number = store.rowCache.changeNumber
        if number != changeNumber { (changeNumber, cache) = (number, Self.emptyCache(of: store)) }
        return cache
    }

    /// A reader of a replica; nil if the store must be read.
    func checkOut() -> (any PooledReader)? {
        guard isOpen, context.pending.isEmpty else { return nil }
        return replicas.checkOut(havingHistoryThrough: transaction)
    }

    func reading<Result>(_ body: (Reading) throws -> Result) throws -> Result? {
        let cache = rowCache
        for _ in 0..<Self.mostAttempts {
            guard let reader = checkOut() else { break }
            defer { reader.release() }
            do { return try Reading.run(reader, cache: cache, body: body) } catch is ReplicaRefusal {}
        }
        return try store.reading { try Reading.run($0.reader, cache: cache, body: body) }
    }
}
