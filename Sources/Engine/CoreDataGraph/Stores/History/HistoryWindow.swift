import CoreDataStore

/// The newest transactions of a history whose total size does not exceed a limit.
///
/// Measured sizes are remembered, so that an update takes time in proportion to the new transactions, and the first one
/// in proportion to the limit, however long the history is. The window need not be notified of transactions that others
/// delete.
///
/// Invariants:
/// 1. The portions are consecutive, without gaps, up to the newest transaction at the last update.
/// 2. `bytes` is the total size of the portions, and does not exceed the limit after `update`.
struct HistoryWindow {
    /// Consecutive transactions, which are removed from the window together.
    private struct Portion {
        var first: Int64
        var bytes: Int64
    }

    /// The number of portions that fill the window, which bounds the memory for any limit.
    private static let resolution: Int64 = 1_000

    private let limit: Int64
    /// The oldest one first.
    private var portions: [Portion] = []
    private var bytes: Int64 = 0
    /// The newest transaction at the last update; nil before the first one.
    private var newest: Int64?

    init(limit: Int64) { self.limit = limit }

    /// Updates the window, and returns the number of its first transaction; one more than the newest if it is empty.
    mutating func update(_ history: any HistoryKeeping, _ extent: HistoryExtent) throws -> Int64 {
        do {
            if let newest, newest <= extent.newest {
                try follow(history, from: newest + 1, to: extent.newest)
            } else {
                try measure(history, extent)
            }
        } catch {
            // After an error, all sizes are measured again.
            self = HistoryWindow(limit: limit)
            throw error
        }
        newest = extent.newest
        leaveOutDeleted(extent)
        while bytes > limit { removeOldest() }
        return portions.first?.first ?? extent.newest + 1
    }

    /// Measures the sizes from the newest transaction backward, until the window is full.
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

    /// Removes the portions whose transactions were all deleted.
    private mutating func leaveOutDeleted(_ extent: HistoryExtent) {
        guard let oldest = extent.oldest else {
            (portions, bytes) = ([], 0)
            return
        }
        while portions.count > 1, portions[1].first <= oldest { removeOldest() }
    }

    private mutating func removeOldest() { bytes -= portions.removeFirst().bytes }
}
