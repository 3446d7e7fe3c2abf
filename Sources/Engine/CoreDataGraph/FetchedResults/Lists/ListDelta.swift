import CoreDataStore

/// The changes of a list in one step: deletions have indices and paths before the step, insertions those after it.
struct ListDelta {
    struct Row {
        let kind: NSFetchedResultsChangeType
        let address: RowAddress
        /// The object of the record, if the context has it already.
        let object: NSManagedObject?
        /// The place before the step; nil for an insertion.
        var old: (index: Int, path: IndexPath)?
        /// The place after the step; nil for a deletion.
        var new: (index: Int, path: IndexPath)?
    }

    /// The deleted sections with their former indices, the last one first.
    var deletedSections: [(number: Int, name: String)] = []
    /// The inserted sections with their new indices.
    var insertedSections: [(number: Int, name: String)] = []
    private(set) var rows: [Row] = []

    var isEmpty: Bool { rows.isEmpty && deletedSections.isEmpty && insertedSections.isEmpty }

    /// Sets the rows, in the order of notification: deletions from the end, then insertions, moves and updates from the
    /// beginning. Sorts the sections too.
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

/// Marks a longest ascending subsequence of some numbers.
///
/// Takes time proportional to n log n.
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
