/// Which rows a coordinator has changed while others were reading, so that what was read before is not taken for the newest.
///
/// Every change gets the next number. A reading has the number of the last change before it began; a row that was read does
/// not count any more if a change of it has a greater number. Only the changes during readings that still go on are kept,
/// and `most` of them: beyond that all readings that have begun are out of date.
struct RowChangeLog {
    private static let most = 4_096

    /// The number of the last change.
    private(set) var last: UInt64 = 0
    /// Readings that began before this number are out of date.
    private(set) var floor: UInt64 = 0
    /// The number of open readings.
    private(set) var readings = 0
    /// How many readings have begun.
    private var begun: UInt64 = 0
    private var numbers: [Place: UInt64] = [:]

    private struct Place: Hashable {
        let root: Int
        let key: Int64
    }

    /// Whether no change of a single row is kept.
    var isEmpty: Bool { numbers.isEmpty }

    /// When a reading began.
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

    /// Whether no row was changed, and no other reading took place, since a reading began.
    func isUndisturbed(_ start: Start) -> Bool { start.isAlone && begun == start.begun && last == start.change }

    mutating func endReading() {
        readings -= 1
        if readings == 0, !numbers.isEmpty { numbers = [:] }
    }

    /// Notes that a save was committed: what it wrote has the number that is the last from here on.
    mutating func noteCommit() { last += 1 }

    /// Notes that rows were changed, without knowing which.
    mutating func noteUnknownChanges() {
        last += 1
        floor = last
        numbers = [:]
    }

    /// Notes that what was known of a row does not count any more.
    mutating func noteChange(root: Int, key: Int64) {
        last += 1
        guard readings > 0 else { return }
        guard numbers.count < Self.most else { return noteUnknownChanges() }
        numbers[Place(root: root, key: key)] = last
    }

    /// Whether a row was changed after a reading began that has a number.
    func hasChanged(root: Int, key: Int64, since start: UInt64) -> Bool {
        guard !numbers.isEmpty, let number = numbers[Place(root: root, key: key)] else { return false }
        return number > start
    }
}
