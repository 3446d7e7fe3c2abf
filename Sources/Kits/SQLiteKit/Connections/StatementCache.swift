import CSQLite

/// Idle prepared statements by their SQL text; when there are too many, the least recently used are finalized.
struct StatementCache {
    /// The idle statements with one SQL text.
    final class Pool {
        let sql: String
        fileprivate var handles: [OpaquePointer] = []
        fileprivate var lastUse = 0
        /// Whether the cache contains the pool. A new pool is added with its first idle statement, and may be removed
        /// later.
        fileprivate var isListed = false

        fileprivate init(sql: String) {
            self.sql = sql
        }
    }

    private var pools: [String: Pool] = [:]
    /// The pools that were last looked up, which are found without hashing their text: saves use few texts repeatedly.
    private var recent: [Pool] = []
    private var nextRecent = 0
    private var idle = 0
    private var clock = 0
    private(set) var compiled = 0
    private(set) var reused = 0
    /// The greatest number of idle statements.
    let capacity = 256
    private static let recentCount = 4

    mutating func countPreparation() { compiled += 1 }

    /// The pool from which statements with a text are taken, and to which they are returned.
    mutating func pool(_ sql: String) -> Pool {
        for pool in recent where pool.sql == sql { return pool }
        guard let pool = pools[sql] else { return Pool(sql: sql) }
        if recent.count < Self.recentCount {
            recent.append(pool)
        } else {
            recent[nextRecent] = pool
            nextRecent = (nextRecent + 1) % Self.recentCount
        }
        return pool
    }

    mutating func take(from pool: Pool) -> OpaquePointer? {
        guard let handle = pool.handles.popLast() else { return nil }
        idle -= 1
        reused += 1
        return handle
    }

    /// Adds a statement that has been reset and whose bindings have been cleared.
    mutating func put(_ handle: OpaquePointer, in pool: Pool) {
        let pool = pool.isListed ? pool : list(pool)
        clock += 1
        pool.lastUse = clock
        pool.handles.append(handle)
        idle += 1
        if idle > capacity { evict() }
    }

    mutating func removeAll() {
        for pool in pools.values { empty(pool) }
        pools = [:]
        recent = []
    }

    private mutating func list(_ pool: Pool) -> Pool {
        if let known = pools[pool.sql] { return known }
        pools[pool.sql] = pool
        pool.isListed = true
        return pool
    }

    private mutating func empty(_ pool: Pool) {
        for handle in pool.handles { sqlite3_finalize(handle) }
        idle -= pool.handles.count
        pool.handles = []
        pool.isListed = false
    }

    // Removes a quarter of the capacity, so that one sort serves many insertions.
    private mutating func evict() {
        recent = []
        for pool in pools.values.sorted(by: { $0.lastUse < $1.lastUse }) {
            guard idle > capacity * 3 / 4 else { return }
            empty(pool)
            pools[pool.sql] = nil
        }
    }
}
