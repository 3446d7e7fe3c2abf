import CSwiftRuntime
import CoreDataModeling
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
package final class RowCache: @unchecked Sendable {
    private struct Entry: BitwiseCopyable {
        let slab: UnsafeRawPointer
        let index: Int
    }

    private final class TableBox {
        var table = OpenTable<Entry>()
    }

    private let lock = Mutex(())
    private let tables: [TableBox]
    private let hits = Atomic<Int>(0)
    private let misses = Atomic<Int>(0)

    /// How often somebody who wanted to fill a fault found its row here, and how often not.
    package struct Tally: Sendable, Equatable {
        package var hits = 0
        package var misses = 0
    }

    /// What the ages of rows are measured by; set before the cache is used.
    package var environment = Environment.system

    package init(rootCount: Int) {
        tables = (0..<rootCount).map { _ in TableBox() }
    }

    /// How many root entities the rows can be of.
    var rootCount: Int { tables.count }

    /// Makes the rows of a filled slab the newest known ones.
    package func publish(_ slab: RowSlab) {
        slab.cache = self
        slab.readTime = environment.uptime()
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(slab).toOpaque())
        lock.withLock { _ in
            let box = tables[slab.layout.root]
            box.table.reserve(slab.count)
            for index in 0..<slab.count {
                box.table.set(Entry(slab: pointer, index: index), for: slab.key(index))
            }
        }
    }

    /// The newest known row, kept alive by the returned reference.
    package func row(root: Int, key: Int64) -> RowReference? {
        lock.withLock { _ in
            guard let entry = tables[root].table[key],
                let retained = swift_tryRetain(UnsafeMutableRawPointer(mutating: entry.slab))
            else { return nil }
            return RowReference(slab: Unmanaged<RowSlab>.fromOpaque(retained).takeRetainedValue(), index: entry.index)
        }
    }

    /// The newest known row if it is young enough: `maximumAge` is in seconds; any age does when it is negative.
    func row(root: Int, key: Int64, maximumAge: TimeInterval) -> RowReference? {
        guard let known = row(root: root, key: key) else { return nil }
        return maximumAge < 0 || age(of: known.slab) < maximumAge ? known : nil
    }

    /// The row that fills a fault, as `row(root:key:maximumAge:)` gives it, counted as a hit or a miss.
    func rowOfFault(root: Int, key: Int64, maximumAge: TimeInterval) -> RowReference? {
        let found = row(root: root, key: key, maximumAge: maximumAge)
        if found == nil {
            misses.add(1, ordering: .relaxed)
        } else {
            hits.add(1, ordering: .relaxed)
        }
        return found
    }

    /// The seconds since a slab was read.
    func age(of slab: RowSlab) -> TimeInterval {
        let now = environment.uptime()
        return now > slab.readTime ? TimeInterval(now - slab.readTime) / 1e9 : 0
    }

    /// The hits and misses until now.
    package var hitsAndMisses: Tally {
        Tally(hits: hits.load(ordering: .relaxed), misses: misses.load(ordering: .relaxed))
    }

    /// Forgets a row that was deleted or is known to be stale.
    package func forget(root: Int, key: Int64) {
        lock.withLock { _ in tables[root].table.remove(key) }
    }

    /// The number of rows known.
    package var count: Int {
        lock.withLock { _ in tables.reduce(0) { $0 + $1.table.count } }
    }

    /// Takes the rows of a slab that is going out of the tables, unless a newer slab has taken their places.
    func withdraw(_ slab: RowSlab) {
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(slab).toOpaque())
        let root = slab.layout.root
        lock.withLock { _ in
            for index in 0..<slab.count {
                tables[root].table.remove(slab.key(index)) { $0.slab == pointer }
            }
        }
    }
}
