/// What the own transactions have changed since the index of a large store began to be made.
///
/// With these rows entered again, an index that was made meanwhile is in step, if no other connection has written the store.
struct SearchBacklog {
    /// The keys of the changed rows, as `SearchWriter` has them; nil where they were too many, or not all are known.
    private(set) var changed: [Int: Set<Int64>]? = [:]
    /// The number of others' commits when it began.
    let version: Int64
    private var count = 0

    private static let greatestCount = 200_000

    init(version: Int64) { self.version = version }

    mutating func add(_ keys: [Int: Set<Int64>]) {
        guard changed != nil else { return }
        count += keys.values.reduce(0) { $0 + $1.count }
        guard count <= Self.greatestCount else { return forget() }
        changed?.merge(keys) { $0.union($1) }
    }

    mutating func forget() { changed = nil }
}
