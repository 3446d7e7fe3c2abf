import CoreDataStore

/// What becomes of a list in one step: all indexes and paths of removed ones are those before, of inserted ones those after.
struct ListDelta {
    struct Row {
        let kind: NSFetchedResultsChangeType
        let address: RowAddress
        /// The object, where it is known already.
        let object: NSManagedObject?
        /// Nil for an insertion.
        var old: (index: Int, path: IndexPath)?
        /// Nil for a deletion.
        var new: (index: Int, path: IndexPath)?
    }

    /// The sections that are gone, by their former numbers, the last one first.
    var deletedSections: [(number: Int, name: String)] = []
    /// The new sections by their numbers.
    var insertedSections: [(number: Int, name: String)] = []
    private(set) var rows: [Row] = []

    var isEmpty: Bool { rows.isEmpty && deletedSections.isEmpty && insertedSections.isEmpty }

    /// Takes the rows in the order in which they are reported: deletions from the end, insertions, moves and updates from
    /// the beginning.
    mutating func take(_ changes: [Row]) {
        rows = changes.sorted { left, right in
            if left.kind != right.kind { return Self.rank(left.kind) < Self.rank(right.kind) }
            switch left.kind {
            case .delete: return (left.old?.index ?? 0) > (right.old?.index ?? 0)
            case .update: return (left.old?.index ?? 0) < (right.old?.index ?? 0)
            case .insert, .move: return (left.new?.index ?? 0) < (right.new?.index ?? 0)
            }
        }
        deletedSections.sort { $0.number > $1.number }
        insertedSections.sort { $0.number < $1.number }
    }

    private static func rank(_ kind: NSFetchedResultsChangeType) -> Int {
        switch kind {
        case .delete: 0
        case .insert: 1
        case .move: 2
        case .update: 3
        }
    }
}

/// Which of some numbers can stay where they are so that all that stay ascend, as many as possible.
///
/// Takes n log n steps.
func longestAscent(_ numbers: [Int]) -> [Bool] {
    var ends: [Int] = []
    var former = [Int?](repeating: nil, count: numbers.count)
    for (index, number) in numbers.enumerated() {
        var range = 0..<ends.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = numbers[ends[middle]] < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        if range.lowerBound > 0 { former[index] = ends[range.lowerBound - 1] }
        if range.lowerBound == ends.count { ends.append(index) } else { ends[range.lowerBound] = index }
    }
    var stays = [Bool](repeating: false, count: numbers.count)
    var next = ends.last
    while let index = next {
        stays[index] = true
        next = former[index]
    }
    return stays
}
