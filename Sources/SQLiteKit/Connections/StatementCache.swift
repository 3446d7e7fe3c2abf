import CSQLite

/// Idle compiled statements by their SQL text; the least recently used go first when there are too many.
struct StatementCache {
    /// The idle statements of one text.
    final class Shelf {
        let sql: String
        fileprivate var handles: [OpaquePointer] = []
        fileprivate var lastUse = 0
        /// Whether the cache has it: one that is new gets there with its first idle statement, and may be taken out again.
        fileprivate var isListed = false

        fileprivate init(sql: String) {
            self.sql = sql
        }
    }

    private var shelves: [String: Shelf] = [:]
    /// The listed shelves looked for last, which are found without hashing a text: saves ask for the same few again.
    private var recent: [Shelf] = []
    private var nextRecent = 0
    private var idle = 0
    private var clock = 0
    private(set) var compiled = 0
    private(set) var reused = 0
    /// How many idle statements are kept.
    let capacity = 256
    private static let recentCount = 4

    mutating func countPreparation() { compiled += 1 }

    /// Where statements of a text are taken from and put back.
    mutating func shelf(_ sql: String) -> Shelf {
        for shelf in recent where shelf.sql == sql { return shelf }
        guard let shelf = shelves[sql] else { return Shelf(sql: sql) }
        if recent.count < Self.recentCount {
            recent.append(shelf)
        } else {
            recent[nextRecent] = shelf
            nextRecent = (nextRecent + 1) % Self.recentCount
        }
        return shelf
    }

    mutating func take(from shelf: Shelf) -> OpaquePointer? {
        guard let handle = shelf.handles.popLast() else { return nil }
        idle -= 1
        reused += 1
        return handle
    }

    /// Keeps a statement that has been reset and cleared.
    mutating func put(_ handle: OpaquePointer, on shelf: Shelf) {
        let shelf = shelf.isListed ? shelf : list(shelf)
        clock += 1
        shelf.lastUse = clock
        shelf.handles.append(handle)
        idle += 1
        if idle > capacity { evict() }
    }

    mutating func removeAll() {
        for shelf in shelves.values { empty(shelf) }
        shelves = [:]
        recent = []
    }

    private mutating func list(_ shelf: Shelf) -> Shelf {
        if let known = shelves[shelf.sql] { return known }
        shelves[shelf.sql] = shelf
        shelf.isListed = true
        return shelf
    }

    private mutating func empty(_ shelf: Shelf) {
        for handle in shelf.handles { sqlite3_finalize(handle) }
        idle -= shelf.handles.count
        shelf.handles = []
        shelf.isListed = false
    }

    // A quarter at a time, so that the sort is paid once for many insertions.
    private mutating func evict() {
        recent = []
        for shelf in shelves.values.sorted(by: { $0.lastUse < $1.lastUse }) {
            guard idle > capacity * 3 / 4 else { return }
            empty(shelf)
            shelves[shelf.sql] = nil
        }
    }
}
