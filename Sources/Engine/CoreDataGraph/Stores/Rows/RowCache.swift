import CSwiftRuntime
import CoreDataStore
import Synchronization

/// The snapshots that a store's coordinator knows, shared by all its contexts, by root entity and primary key.
///
/// The cache does not retain rows: a slab lives as long as an object, a fault or a result refers to it, and removes its
/// rows from the cache when it is freed.
///
/// Rows that were read before a change was committed are not in the cache after it, although others read while a thread
/// saves. Changes are numbered (`RowChangeLog`); a reading takes the number of the last one before it begins, and
/// `publish(_:readSince:)` leaves out the rows with a later change. A save takes the next number after its
/// commit and before its rows are published, which replaces what was published between.
///
/// Invariants:
/// 1. `tables`, `slabs`, `changes`, `log` and `unused` are used only under `lock`.
/// 2. An entry's slab has not been freed: a slab's `deinit` waits for `lock` before its memory is freed, and entries of a
///    slab whose `deinit` has begun are passed over (`swift_tryRetain` refuses).
/// 3. No slab is released while `lock` is held, since its `deinit` takes it.
/// 4. A slab with entries has its number's place in `slabs`; numbers in `unused` have no entries.
package final class RowCache: SlabWatching, @unchecked Sendable {
    /// The number of a slab and the index of a row in it, in one word, which is never zero.
    private struct Entry: BitwiseCopyable {
        private let word: UnsafeRawPointer

        init(_ slab: Int, _ index: Int) {
            word = UnsafeRawPointer(bitPattern: slab << Self.indexBits | index).unsafelyUnwrapped
        }

        var slab: Int { Int(bitPattern: word) >> Self.indexBits }
        var index: Int { Int(bitPattern: word) & (1 << Self.indexBits - 1) }

        /// Enough for `RowSlab.mostRows`.
        private static let indexBits = 10
    }

    private final class TableBox {
        // Used under the cache's lock.
        @exclusivity(unchecked) var table = OpenTable<Entry>()
        /// The versions of rows that a save overwrote and that are no longer cached; 0 for deleted ones.
        var writtenVersions: [Int64: Int64] = [:]

        /// Stores a version so that conflicts can find its writer; when too many rows are recorded, all are forgotten.
        func noteWritten(_ version: Int64, _ key: Int64) {
            if writtenVersions.count == RowCache.mostWrittenVersions { writtenVersions.removeAll() }
            writtenVersions[key] = version
        }
    }

    /// How many versions of rows that are not cached are stored, for each root entity.
    private static let mostWrittenVersions = 4_096

    private let lock = Mutex(())
    private let tables: [TableBox]
    /// The slabs by their numbers, starting from 1.
    @exclusivity(unchecked) private var slabs: ContiguousArray<UnsafeMutableRawPointer?> = [nil]
    /// By the numbers of slabs: the number of the change that the rows are of, or that of the last change before they were read.
    @exclusivity(unchecked) private var changes: ContiguousArray<UInt64> = [0]
    @exclusivity(unchecked) private var unused: [Int] = []
    @exclusivity(unchecked) private var log = RowChangeLog()
    private let hits = Atomic<Int>(0)
    private let misses = Atomic<Int>(0)

    /// How often the row of a fault to be filled was found here, and how often not.
    package struct HitCount: Sendable, Equatable {
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

    /// When a reading began.
    package struct ReadingStart: Sendable {
        fileprivate let place: RowChangeLog.Start
    }

    /// Begins a reading, before anything is read; `endReading` follows once its rows have been published.
    func beginReading() -> ReadingStart { lock.withLock { _ in ReadingStart(place: log.beginReading()) } }

    func endReading() { lock.withLock { _ in log.endReading() } }

    /// Says that a save was committed, before what it wrote is published.
    func noteCommit() { lock.withLock { _ in log.noteCommit() } }

    /// Notes that unspecified rows were changed: what is being read now will not be published.
    func noteUnknownChanges() { lock.withLock { _ in log.noteUnknownChanges() } }

    /// A number that is another one after each change.
    var changeNumber: UInt64 { lock.withLock { _ in log.last } }

    /// Makes the rows of a filled slab the newest known ones; for who changes rows.
    package func publish(_ slab: RowSlab) {
        withdrawFromOther(slab)
        lock.withLock { _ in enterChanged(slab) }
    }

    /// Makes rows that were read the newest known ones, but for those that were changed since the reading began.
    ///
    /// Of two readings at the same time it is unknown which saw the later state, as others may have written to the store: the
    /// row with the greater version stays. Of a slab that is in a cache nothing becomes known: stores in memory give the same
    /// slab to several readers.
    func publish(_ slab: RowSlab, readSince start: ReadingStart) {
        // Slabs are released after the lock.
        var others: [RowSlab] = []
        lock.withLock { _ in
            guard slab.cache == nil else { return }
            take(slab)
            guard start.place.change >= log.floor else { return }
            number(slab, change: start.place.change)
            if log.isUndisturbed(start.place) { return enter(slab) }
            enterUnchanged(slab, since: start.place.change, &others)
        }
    }

    /// Takes a slab out of the cache that it is in, whose number it has.
    private func withdrawFromOther(_ slab: RowSlab) {
        let isOthers = lock.withLock { _ in slab.cache != nil && slab.cache !== self }
        if isOthers { slab.cache?.withdraw(slab) }
    }

    // MARK: While the lock is held

    private func take(_ slab: RowSlab) {
        slab.cache = self
        slab.readTime = environment.uptime()
    }

    private func enterChanged(_ slab: RowSlab) {
        take(slab)
        slab.isOfChange = true
        number(slab, change: log.last)
        enter(slab)
    }

    private func enter(_ slab: RowSlab) {
        let box = tables[slab.layout.root]
        box.table.reserve(slab.count)
        for index in 0..<slab.count { box.table.set(Entry(slab.cacheNumber, index), for: slab.key(index)) }
    }

    private func enterUnchanged(_ slab: RowSlab, since start: UInt64, _ others: inout [RowSlab]) {
        let root = slab.layout.root
        let box = tables[root]
        box.table.reserve(slab.count)
        var former = 0
        for index in 0..<slab.count {
            let key = slab.key(index)
            if log.hasChanged(root: root, key: key, since: start) { continue }
            if let known = box.table[key] {
                if changes[known.slab] > start { continue }
                if known.slab != former {
                    former = known.slab
                    guard let retained = slabs[former].flatMap(swift_tryRetain) else {
                        former = 0
                        box.table.set(Entry(slab.cacheNumber, index), for: key)
                        continue
                    }
                    others.append(Unmanaged<RowSlab>.fromOpaque(retained).takeRetainedValue())
                }
                if let other = others.last, other.version(known.index) > slab.version(index) { continue }
            }
            box.table.set(Entry(slab.cacheNumber, index), for: key)
        }
    }

    /// Makes the rows that a save wrote the newest known ones.
    func publishWritten(_ slab: RowSlab) {
        withdrawFromOther(slab)
        lock.withLock { _ in
            slab.isWritten = true
            enterChanged(slab)
        }
    }

    /// The version of a row that a save wrote last, if that row is no longer cached; 0 where the save deleted the row.
    ///
    /// Nil for a row that was only inserted, or if too much has been written since.
    func writtenVersion(root: Int, key: Int64) -> Int64? { lock.withLock { _ in tables[root].writtenVersions[key] } }

    private func number(_ slab: RowSlab, change: UInt64) {
        guard slab.cacheNumber == 0 else {
            changes[slab.cacheNumber] = change
            return
        }
        let pointer = Unmanaged.passUnretained(slab).toOpaque()
        if let number = unused.popLast() {
            slab.cacheNumber = number
            slabs[number] = pointer
            changes[number] = change
        } else {
            slab.cacheNumber = slabs.count
            slabs.append(pointer)
            changes.append(change)
        }
    }

    /// Makes room at once for the first rows of a root entity.
    func reserveFirst(_ count: Int, root: Int) {
        lock.withLock { _ in
            if tables[root].table.count == 0 { tables[root].table.reserve(count) }
        }
    }

    /// The newest known row, retained by the returned reference.
    package func row(root: Int, key: Int64) -> RowSnapshot? {
        lock.withLock { _ in
            guard let entry = tables[root].table[key], let retained = slabs[entry.slab].flatMap(swift_tryRetain)
            else { return nil }
            return RowSnapshot(slab: Unmanaged<RowSlab>.fromOpaque(retained).takeRetainedValue(), index: entry.index)
        }
    }

    /// The newest known row if it is young enough: `maximumAge` is in seconds; any age does when it is negative.
    func row(root: Int, key: Int64, maximumAge: TimeInterval) -> RowSnapshot? {
        guard let known = row(root: root, key: key) else { return nil }
        return maximumAge < 0 || age(of: known.slab) < maximumAge ? known : nil
    }

    /// The row that fills a fault, as `row(root:key:maximumAge:)` gives it, counted as a hit or a miss.
    func rowOfFault(root: Int, key: Int64, maximumAge: TimeInterval) -> RowSnapshot? {
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
        let (now, readTime) = (environment.uptime(), lock.withLock { _ in slab.readTime })
        return now > readTime ? TimeInterval(now - readTime) / 1e9 : 0
    }

    /// The hits and misses until now.
    package var hitsAndMisses: HitCount {
        HitCount(hits: hits.load(ordering: .relaxed), misses: misses.load(ordering: .relaxed))
    }

    /// Forgets a row that was deleted or is known to be stale.
    package func forget(root: Int, key: Int64) {
        lock.withLock { _ in
            tables[root].table.remove(key)
            log.noteChange(root: root, key: key)
        }
    }

    /// Forgets a row that a save deleted.
    func forgetDeleted(root: Int, key: Int64) {
        lock.withLock { _ in
            tables[root].table.remove(key)
            tables[root].noteWritten(0, key)
            log.noteChange(root: root, key: key)
        }
    }

    /// The number of rows known.
    package var count: Int {
        lock.withLock { _ in tables.reduce(0) { $0 + $1.table.count } }
    }

    /// Takes the rows of a slab that is going, or that another cache takes over, out of the tables, unless a newer slab has taken their places.
    package func withdraw(_ slab: RowSlab) {
        let (number, root) = (slab.cacheNumber, slab.layout.root)
        guard number > 0 else { return }
        lock.withLock { _ in
            let box = tables[root]
            for index in 0..<slab.count where box.table.remove(slab.key(index), where: { $0.slab == number }) {
                if slab.isWritten, slab.version(index) > 1 { box.noteWritten(slab.version(index), slab.key(index)) }
                // An inserted row does not have an earlier state that could be read.
                if slab.isOfChange, log.readings > 0, !slab.isWritten || slab.version(index) > 1 {
                    log.noteChange(root: root, key: slab.key(index))
                }
            }
            slabs[number] = nil
            unused.append(number)
        }
        slab.cacheNumber = 0
    }
}
