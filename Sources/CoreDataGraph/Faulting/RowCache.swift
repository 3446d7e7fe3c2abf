import CSwiftRuntime
import Synchronization

/// The snapshots that a store's coordinator knows, shared by all its contexts, by root entity and primary key.
///
/// The cache owns no row: a slab lives as long as an object, a fault or a result refers to it, and takes its rows out
/// of the cache when it goes.
///
/// Invariants:
/// 1. `tables` is used only under `lock`.
/// 2. An entry's slab has not been freed: a slab's `deinit` waits for `lock` before its memory goes, and entries of a
///    slab whose `deinit` has begun are passed over (`swift_tryRetain` refuses).
/// 3. No slab is released while `lock` is held, since its `deinit` takes it.
package final class RowCache: Sendable {
    private struct Entry: BitwiseCopyable {
        let slab: UnsafeRawPointer
        let index: Int
    }

    private struct Tables: ~Copyable {
        var byRoot: [TableBox] = []
    }

    private final class TableBox {
        var table = OpenTable<Entry>()
    }

    private let tables = Mutex(Tables())

    package init(rootCount: Int) {
        tables.withLock { $0.byRoot = (0..<rootCount).map { _ in TableBox() } }
    }

    /// Makes the rows of a filled slab the newest known ones.
    package func publish(_ slab: RowSlab) {
        slab.cache = self
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(slab).toOpaque())
        tables.withLock { tables in
            let box = tables.byRoot[slab.layout.root]
            box.table.reserve(slab.count)
            for index in 0..<slab.count {
                box.table.set(Entry(slab: pointer, index: index), for: slab.key(index))
            }
        }
    }

    /// The newest known row, kept alive by the returned reference.
    package func row(root: Int, key: Int64) -> RowReference? {
        tables.withLock { tables in
            guard let entry = tables.byRoot[root].table[key],
                let retained = swift_tryRetain(UnsafeMutableRawPointer(mutating: entry.slab))
            else { return nil }
            return RowReference(slab: Unmanaged<RowSlab>.fromOpaque(retained).takeRetainedValue(), index: entry.index)
        }
    }

    /// Forgets a row that was deleted or is known to be stale.
    package func forget(root: Int, key: Int64) {
        tables.withLock { $0.byRoot[root].table.remove(key) }
    }

    /// Forgets every row.
    package func forgetAll() {
        tables.withLock { tables in tables.byRoot.forEach { $0.table.removeAll() } }
    }

    /// The number of rows known.
    package var count: Int {
        tables.withLock { tables in tables.byRoot.reduce(0) { $0 + $1.table.count } }
    }

    /// Takes the rows of a slab that is going out of the tables, unless a newer slab has taken their places.
    func withdraw(_ slab: RowSlab) {
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(slab).toOpaque())
        let root = slab.layout.root
        tables.withLock { tables in
            for index in 0..<slab.count {
                tables.byRoot[root].table.remove(slab.key(index)) { $0.slab == pointer }
            }
        }
    }
}
