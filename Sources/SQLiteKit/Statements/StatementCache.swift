import CSQLite

/// Idle compiled statements by their SQL text; the least recently used go first when there are too many.
struct StatementCache {
    private struct Entry {
        var handles: [OpaquePointer]
        var lastUse: Int
    }

    private var entries: [String: Entry] = [:]
    private var idle = 0
    private var clock = 0
    private(set) var compiled = 0
    private(set) var reused = 0
    /// How many idle statements are kept.
    let capacity = 256

    mutating func countPreparation() { compiled += 1 }

    mutating func take(_ sql: String) -> OpaquePointer? {
        guard let handle = entries[sql]?.handles.popLast() else { return nil }
        clock += 1
        entries[sql]?.lastUse = clock
        idle -= 1
        reused += 1
        return handle
    }

    /// Keeps a statement that has been reset and cleared.
    mutating func put(_ handle: OpaquePointer, for sql: String) {
        clock += 1
        entries[sql, default: Entry(handles: [], lastUse: clock)].handles.append(handle)
        entries[sql]?.lastUse = clock
        idle += 1
        if idle > capacity { evict() }
    }

    mutating func removeAll() {
        for handle in entries.values.lazy.flatMap(\.handles) { sqlite3_finalize(handle) }
        entries = [:]
        idle = 0
    }

    // A quarter at a time, so that the sort is paid once for many insertions.
    private mutating func evict() {
        for (sql, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard idle > capacity * 3 / 4 else { return }
            for handle in entry.handles { sqlite3_finalize(handle) }
            idle -= entry.handles.count
            entries[sql] = nil
        }
    }
}
