/// Records which rows a coordinator has changed while others were reading, so that a row read before a change is not
/// cached as the newest.
///
/// Every change gets the next number. A reading records the number of the last change before it began; a row that it
/// read is outdated if a change of the row has a greater number. Only changes during open readings are stored, at most
/// `most` of them: beyond that all readings that have begun are outdated.
struct RowChangeLog {
    private static let most = 4_096

    /// The number of the last change.
    private(set) var last: UInt64 = 0
    /// Readings that began before this change are outdated.
    private(set) var floor: UInt64 = 0
    /// The number of open readings.
    private(set) var readings = 0
    /// The number of readings that have begun.
    private var begun: UInt64 = 0
    private var numbers: [Place: UInt64] = [:]

    private struct Place: Hashable {
        let root: Int
        let key: Int64
    }

    /// Whether no change of a single row is stored.
    var isEmpty: Bool { numbers.isEmpty }

    /// The moment at which a reading began.
    struct Start: Sendable {
        /// The number of the last change before it.
        let change: UInt64
        fileprivate let begun: UInt64
        fileprivate let isAlone: Bool
    }

    mutating func beginReading() -> Start {
        readings += 1
        begun += 1
        return Start(change: last, begun: begun, isAlone: readings == 1)
    }

    /// Whether no row was changed, and no other reading was open, since a reading began.
    func isUndisturbed(_ start: Start) -> Bool { start.isAlone && begun == start.begun && last == start.change }

    mutating func endReading() {
        readings -= 1
        if readings == 0, !numbers.isEmpty { numbers = [:] }
    }

    /// Records that a save was committed: its rows have the number that is `last` afterwards.
    mutating func noteCommit() { last += 1 }

    /// Records that unknown rows were changed.
    mutating func noteUnknownChanges() {
        last += 1
        floor = last
        numbers = [:]
    }

    /// Records that a row was changed: rows read before are outdated.
    mutating func noteChange(root: Int, key: Int64) {
        last += 1
        guard readings > 0 else { return }
        guard numbers.count < Self.most else { return noteUnknownChanges() }
        numbers[Place(root: root, key: key)] = last
    }

    /// Whether a row was changed after a reading began; `start` is the number of the last change before the reading.
    func hasChanged(root: Int, key: Int64, since start: UInt64) -> Bool {
        guard !numbers.isEmpty, let number = numbers[Place(root: root, key: key)] else { return false }
        return number > start
    }
}
