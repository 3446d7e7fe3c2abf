/// The rows that this connection's transactions have changed since the index of a large store began to be built.
///
/// Once these rows are entered, the finished index is up to date, unless another connection has written to the store.
struct SearchBacklog {
    /// The keys of the changed rows, as in `SearchWriter`; nil if there are too many, or not all are known.
    private(set) var changed: [Int: Set<Int64>]? = [:]
    /// SQLite's data version at the beginning.
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
