import CoreDataStore

/// The slabs with the rows of one entity, and which of their rows are live (current).
///
/// A row that is replaced or deleted stays in its slab, which others may be reading, and is no longer live. When less
/// than half of a slab's rows are live, or half of its bytes are dead, its live rows are copied into another slab;
/// small slabs are merged eight at a time. So the number of copies of a row and the amount of unused memory are
/// bounded.
///
/// Invariants:
/// 1. Bit `i` of `live` is set if and only if the root's table refers to row `i`; `liveCount` is the number of these
///    bits.
/// 2. `free` lists the elements of `held` without a slab.
final class SlabPool {
    private struct Held {
        var slab: RowSlab?
        var live: [UInt64] = []
        var liveCount = 0
        var deadBytes = 0

        func isLive(_ index: Int) -> Bool { live[index >> 6] & (1 << UInt64(index & 63)) != 0 }
    }

    /// How many small slabs of similar size are merged at once.
    private static let mergedCount = 8
    /// Upper bounds of the number of live rows of small slabs; slabs between two consecutive bounds are of similar
    /// size.
    private static let sizes = [8, 64, 512]

    /// The number of dead bytes up to which a slab is not copied because of them.
    private static let allowedBytes = 64 * 1024

    private var held: [Held] = []
    private var free: [Int] = []
    private(set) var rowCount = 0

    /// The number of slabs, for tests that check its bound.
    var slabCount: Int { held.count - free.count }

    /// The number of bytes of all slabs with all their rows, for tests that check its bound.
    var byteCount: Int {
        held.reduce(0) { $0 + ($1.slab.map { $0.count * $0.layout.rowStride + $0.heapSize } ?? 0) }
    }

    func slab(_ number: Int) -> RowSlab? { held[number].slab }

    /// Adds a slab, none of whose rows is live yet, and returns its number.
    func add(_ slab: RowSlab) -> Int {
        let fresh = Held(slab: slab, live: Array(repeating: 0, count: (RowSlab.mostRows + 63) / 64))
        guard let number = free.popLast() else {
            held.append(fresh)
            return held.count - 1
        }
        held[number] = fresh
        return number
    }

    func setLive(_ number: Int, _ index: Int) {
        held[number].live[index >> 6] |= 1 << UInt64(index & 63)
        held[number].liveCount += 1
        rowCount += 1
    }

    func setDead(_ number: Int, _ index: Int) {
        guard let slab = held[number].slab else { return }
        held[number].live[index >> 6] &= ~(1 << UInt64(index & 63))
        held[number].liveCount -= 1
        held[number].deadBytes += slab.heapBytes(ofRow: index)
        rowCount -= 1
    }

    /// The live rows as runs, slab by slab.
    var runs: [RowRun] {
        var runs: [RowRun] = []
        for entry in held {
            guard let slab = entry.slab, entry.liveCount > 0 else { continue }
            if entry.liveCount == slab.count {
                runs.append(RowRun(slab: slab, range: 0..<slab.count))
            } else {
                Self.append(entry, slab, to: &runs)
            }
        }
        return runs
    }

    private static func append(_ entry: Held, _ slab: RowSlab, to runs: inout [RowRun]) {
        var start: Int?
        for index in 0..<slab.count {
            if entry.isLive(index) {
                start = start ?? index
            } else if let first = start {
                runs.append(RowRun(slab: slab, range: first..<index))
                start = nil
            }
        }
        if let start { runs.append(RowRun(slab: slab, range: start..<slab.count)) }
    }

    /// Releases all slabs.
    func removeAll() {
        held = []
        free = []
        rowCount = 0
    }

    // MARK: Packing

    /// Releases slabs without live rows, and copies the live rows of sparse slabs and of small slabs into new slabs.
    ///
    /// Calls `moved` with the new location of each copied row, and returns the new slabs.
    func pack(_ moved: (_ key: Int64, _ slab: Int, _ index: Int) -> Void) -> [RowSlab] {
        var chosen: [Int] = []
        var small = Array(repeating: [Int](), count: Self.sizes.count)
        for number in held.indices {
            let entry = held[number]
            guard let slab = entry.slab else { continue }
            if entry.liveCount == 0 {
                release(number)
            } else if entry.liveCount * 2 < slab.count || entry.deadBytes > max(Self.allowedBytes, slab.heapSize / 2) {
                chosen.append(number)
            } else if let size = Self.sizes.firstIndex(where: { entry.liveCount < $0 }) {
                small[size].append(number)
            }
        }
        for group in small where group.count >= Self.mergedCount { chosen += group }
        return chosen.isEmpty ? [] : repack(chosen, moved)
    }

    private func repack(_ numbers: [Int], _ moved: (Int64, Int, Int) -> Void) -> [RowSlab] {
        var rows: [(key: Int64, slab: RowSlab, index: Int)] = []
        for number in numbers {
            guard let slab = held[number].slab else { continue }
            for index in 0..<slab.count where held[number].isLive(index) {
                rows.append((slab.key(index), slab, index))
            }
            rowCount -= held[number].liveCount
            release(number)
        }
        rows.sort { $0.key < $1.key }
        var made: [RowSlab] = []
        var number = 0
        for (offset, row) in rows.enumerated() {
            if made.last?.isFull ?? true {
                let slab = RowSlab(binding: row.slab.binding, capacity: rows.count - offset)
                number = add(slab)
                made.append(slab)
            }
            let index = made[made.count - 1].appendCopy(of: row.slab, row.index)
            setLive(number, index)
            moved(row.key, number, index)
        }
        return made
    }

    private func release(_ number: Int) {
        held[number] = Held()
        free.append(number)
    }
}
