import CoreDataStore

/// What one context reads from replicas of its stores.
struct ReplicaReading {
    /// The place in the history that a replica must have reached to answer; nil for any.
    let token: NSPersistentHistoryToken?
    private var rows: [ObjectIdentifier: ReplicaRows] = [:]

    init(after token: NSPersistentHistoryToken?) { self.token = token }

    /// The rows of a store as its replicas have them; nil for one without replicas.
    mutating func rows(of store: NSPersistentStore, for context: NSManagedObjectContext) -> ReplicaRows? {
        if let known = rows[ObjectIdentifier(store)], known.store === store { return known }
        guard let replicas = store.objects?.replicas else { return nil }
        let made = ReplicaRows(
            replicas, of: store, for: context, after: store.identifier.flatMap { token?.numbers[$0] })
        rows[ObjectIdentifier(store)] = made
        return made
    }
}

/// The rows of one store as a context sees them that replicas may answer.
///
/// Used on the context's queue. They are in a cache of their own, since others are not to see what may be behind; each change that
/// the coordinator knows of empties it, so that no row is older than what was saved before it was read.
///
/// While the context has changes the store itself is asked: what is to be saved rests on what it reads.
final class ReplicaRows: RowSource {
    /// So many replicas are asked before the store is.
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

    /// A reader at a replica; nil where the store is to be asked.
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
