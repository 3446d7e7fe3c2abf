import CSwiftRuntime
import CoreDataStore
import Synchronization

/// The row cache of a store: the rows that the coordinator has read or saved, by root entity and primary key, shared by
/// all its contexts.
///
/// The cache does not retain rows: a slab remains in memory as long as an object, a fault or a result refers to it, and
/// removes its rows from the cache when it is deallocated.
///
/// A row that was read before a change of it was committed must not be in the cache after the commit, even if a thread
/// reads while another saves. Therefore changes are numbered (`RowChangeLog`): a reading records the number of the last
/// change before it begins, and `publish(_:readSince:)` leaves out the rows that were changed later. A save takes the
/// next number after its commit and before its rows are published, which replace rows published in between.
///
/// Invariants:
/// 1. `tables`, `slabs`, `changes`, `log` and `unused` are used only under `lock`.
/// 2. The memory of an entry's slab has not been freed: a slab's `deinit` waits for `lock` before that, and entries of
///    a slab whose `deinit` has begun are skipped (`swift_tryRetain` refuses).
/// 3. No slab is released while a thread has `lock`, since the slab's `deinit` acquires it.
/// 4. A slab with entries is in `slabs` at its number; numbers in `unused` have no entries.
package final class RowCache: SlabWatching, @unchecked Sendable {
    /// The number of a slab and the index of a row in it, in one nonzero word.
    private struct Entry: BitwiseCopyable {
        private let word: UnsafeRawPointer

        init(_ slab: Int, _ index: Int) {
            word = UnsafeRawPointer(bitPattern: slab << Self.indexBits | index).unsafelyUnwrapped
        }

        var slab: Int { Int(bitPattern: word) >> Self.indexBits }
        var index: Int { Int(bitPattern: word) & (1 << Self.indexBits - 1) }

        /// The number of bits for an index, enough for `RowSlab.mostRows`.
        private static let indexBits = 10
    }

    private final class TableBox {
        // Used under the cache's lock.
        @exclusivity(unchecked) var table = OpenTable<Entry>()
        /// The versions of rows that a save overwrote and that are no longer cached; 0 for deleted ones.
        var writtenVersions: [Int64: Int64] = [:]

        /// Records the version that a save wrote, by which a conflict is recognized as one with another context of the
        /// coordinator. When too many versions are recorded, all are dropped.
        func noteWritten(_ version: Int64, _ key: Int64) {
            if writtenVersions.count == RowCache.mostWrittenVersions { writtenVersions.removeAll() }
            writtenVersions[key] = version
        }
    }

    /// The greatest number of recorded versions of rows that are not cached, for each root entity.
    private static let mostWrittenVersions = 4_096

    private let lock = Mutex(())
    private let tables: [TableBox]
    /// The slabs by their numbers, starting from 1.
    @exclusivity(unchecked) private var slabs: ContiguousArray<UnsafeMutableRawPointer?> = [nil]
    /// By the numbers of slabs: the number of the change that wrote the rows, or of the last before they were read.
    @exclusivity(unchecked) private var changes: ContiguousArray<UInt64> = [0]
    @exclusivity(unchecked) private var unused: [Int] = []
    @exclusivity(unchecked) private var log = RowChangeLog()
    private let hits = Atomic<Int>(0)
    private let misses = Atomic<Int>(0)

    /// The number of faults whose row was found in the cache, and of those whose row was not.
    package struct HitCount: Sendable, Equatable {
        package var hits = 0
        package var misses = 0
    }

    /// The clock by which the ages of rows are measured; set before the cache is used.
    package var environment = Environment.system

    package init(rootCount: Int) {
        tables = (0..<rootCount).map { _ in TableBox() }
    }

    /// The number of root entities.
    var rootCount: Int { tables.count }

    /// The moment at which a reading began.
    package struct ReadingStart: Sendable {
        fileprivate let place: RowChangeLog.Start
    }

    /// Begins a reading, before anything is read; the caller must call `endReading` after its rows have been published.
    func beginReading() -> ReadingStart { lock.withLock { _ in ReadingStart(place: log.beginReading()) } }

    func endReading() { lock.withLock { _ in log.endReading() } }

    /// Records that a save was committed, before its rows are published.
    func noteCommit() { lock.withLock { _ in log.noteCommit() } }

    /// Records that unknown rows were changed: rows that are being read now will not be published.
    func noteUnknownChanges() { lock.withLock { _ in log.noteUnknownChanges() } }

    /// The number of the last change.
    var changeNumber: UInt64 { lock.withLock { _ in log.last } }

    /// Makes the rows of a filled slab the newest cached ones; called by writers of rows.
    package func publish(_ slab: RowSlab) {
        withdrawFromOther(slab)
        lock.withLock { _ in enterChanged(slab) }
    }

    /// Makes rows that were read the newest cached ones, except those that were changed since the reading began.
    ///
    /// If two readings overlap, it is unknown which one saw the later state, as others may have written to the store:
    /// the row with the greater version remains cached. If the slab is already in a cache, nothing is published, since
    /// stores in memory return the same slab to several readers.
    func publish(_ slab: RowSlab, readSince start: ReadingStart) {
        // Slabs are released after the lock has been released.
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

    /// Removes a slab from another cache in which it is.
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

    /// Makes the rows that a save wrote the newest cached ones.
    func publishWritten(_ slab: RowSlab) {
        withdrawFromOther(slab)
        lock.withLock { _ in
            slab.isWritten = true
            enterChanged(slab)
        }
    }

    /// Returns the version that a save last wrote of a row that is no longer cached; 0 if the save deleted the row.
    ///
    /// Nil for a row that was inserted and not updated since, or if too many rows have been written since.
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

    /// Reserves capacity for the first rows of a root entity.
    func reserveFirst(_ count: Int, root: Int) {
        lock.withLock { _ in
            if tables[root].table.count == 0 { tables[root].table.reserve(count) }
        }
    }

    /// Returns the newest cached row and retains its slab.
    package func row(root: Int, key: Int64) -> RowSnapshot? {
        lock.withLock { _ in
            guard let entry = tables[root].table[key], let retained = slabs[entry.slab].flatMap(swift_tryRetain)
            else { return nil }
            return RowSnapshot(slab: Unmanaged<RowSlab>.fromOpaque(retained).takeRetainedValue(), index: entry.index)
        }
    }

    /// Returns the newest cached row if it was read less than `maximumAge` seconds ago; a negative age means no limit.
    func row(root: Int, key: Int64, maximumAge: TimeInterval) -> RowSnapshot? {
        guard let known = row(root: root, key: key) else { return nil }
        return maximumAge < 0 || age(of: known.slab) < maximumAge ? known : nil
    }

    /// Returns the row for a fault like `row(root:key:maximumAge:)`, and counts a hit or a miss.
    func rowOfFault(root: Int, key: Int64, maximumAge: TimeInterval) -> RowSnapshot? {
        let found = row(root: root, key: key, maximumAge: maximumAge)
        if found == nil {
            misses.add(1, ordering: .relaxed)
        } else {
            hits.add(1, ordering: .relaxed)
        }
        return found
    }

    /// Returns the seconds since a slab was read or written.
    func age(of slab: RowSlab) -> TimeInterval {
        let (now, readTime) = (environment.uptime(), lock.withLock { _ in slab.readTime })
        return now > readTime ? TimeInterval(now - readTime) / 1e9 : 0
    }

    /// The hits and misses until now.
    package var hitsAndMisses: HitCount {
        HitCount(hits: hits.load(ordering: .relaxed), misses: misses.load(ordering: .relaxed))
    }

    /// Removes a row that was deleted or is known to be outdated.
    package func forget(root: Int, key: Int64) {
        lock.withLock { _ in
            tables[root].table.remove(key)
            log.noteChange(root: root, key: key)
        }
    }

    /// Removes a row that a save deleted.
    func forgetDeleted(root: Int, key: Int64) {
        lock.withLock { _ in
            tables[root].table.remove(key)
            tables[root].noteWritten(0, key)
            log.noteChange(root: root, key: key)
        }
    }

    /// The number of cached rows.
    package var count: Int {
        lock.withLock { _ in tables.reduce(0) { $0 + $1.table.count } }
    }

    /// Removes the rows of a slab that is deallocated, or moves to another cache, except those that rows of a newer
    /// slab have replaced.
    package func withdraw(_ slab: RowSlab) {
        let (number, root) = (slab.cacheNumber, slab.layout.root)
        guard number > 0 else { return }
        lock.withLock { _ in
            let box = tables[root]
            for index in 0..<slab.count where box.table.remove(slab.key(index), where: { $0.slab == number }) {
                if slab.isWritten, slab.version(index) > 1 { box.noteWritten(slab.version(index), slab.key(index)) }
                // A row that was inserted and not updated has no earlier state that a reading could have seen.
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
