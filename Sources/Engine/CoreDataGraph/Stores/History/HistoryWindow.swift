import CoreDataStore

/// The newest transactions of a history that together take no more bytes than a limit.
///
/// Measured sizes are remembered, so that following a history costs as much as what is new in it, and beginning as much
/// as the limit, however long the history is. The window need not be notified of deletions by others.
///
/// Invariants:
/// 1. The portions follow each other without gaps, up to the newest transaction that has been seen.
/// 2. `bytes` is the sum of the portions, and no more than the limit after `update`.
struct HistoryWindow {
    /// Consecutive transactions, which leave the window together.
    private struct Portion {
        var first: Int64
        var bytes: Int64
    }

    /// Portions are so small that this many of them fill the window: what is remembered does not grow with the limit.
    private static let resolution: Int64 = 1_000

    private let limit: Int64
    /// The oldest one first.
    private var portions: [Portion] = []
    private var bytes: Int64 = 0
    /// The newest transaction that has been seen; nil before the first look.
    private var newest: Int64?

    init(limit: Int64) { self.limit = limit }

    /// The number of the first transaction in the window; one more than the newest where none is.
    mutating func update(_ history: any HistoryKeeping, _ extent: HistoryExtent) throws -> Int64 {
        do {
            if let newest, newest <= extent.newest {
                try follow(history, from: newest + 1, to: extent.newest)
            } else {
                try measure(history, extent)
            }
        } catch {
            // What was measured in part is measured again.
            self = HistoryWindow(limit: limit)
            throw error
        }
        newest = extent.newest
        leaveOutDeleted(extent)
        while bytes > limit { removeOldest() }
        return portions.first?.first ?? extent.newest + 1
    }

    /// Measures from the newest transaction backwards, until the window is full.
    private mutating func measure(_ history: any HistoryKeeping, _ extent: HistoryExtent) throws {
        (portions, bytes) = ([], 0)
        guard let oldest = extent.oldest, oldest <= extent.newest else { return }
        var found: [Portion] = []
        try history.readHistorySizes(of: oldest...extent.newest, .newestFirst) { number, size in
            guard bytes + size <= limit else { return false }
            bytes += size
            if let last = found.last, last.bytes + size <= limit / Self.resolution {
                found[found.count - 1] = Portion(first: number, bytes: last.bytes + size)
            } else {
                found.append(Portion(first: number, bytes: size))
            }
            return true
        }
        portions = found.reversed()
    }

    private mutating func follow(_ history: any HistoryKeeping, from first: Int64, to last: Int64) throws {
        guard first <= last else { return }
        try history.readHistorySizes(of: first...last, .oldestFirst) { number, size in
            bytes += size
            if let last = portions.last, last.bytes + size <= limit / Self.resolution {
                portions[portions.count - 1].bytes += size
            } else {
                portions.append(Portion(first: number, bytes: size))
            }
            while bytes > limit { removeOldest() }
            return true
        }
    }

    /// Takes out the portions of which nothing is kept any more.
    private mutating func leaveOutDeleted(_ extent: HistoryExtent) {
        guard let oldest = extent.oldest else {
            (portions, bytes) = ([], 0)
            return
        }
        while portions.count > 1, portions[1].first <= oldest { removeOldest() }
    }

    private mutating func removeOldest() { bytes -= portions.removeFirst().bytes }
}
