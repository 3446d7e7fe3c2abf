/// How many bytes a history is said to take: the same for the same history in every kind of store.
///
/// A fixed number stands for what each row takes with its entries in indexes, as it was measured in files of SQLite
/// (`dbstat`); the bytes of sets of changed properties, of kept values and of old values are added. The strings that
/// transactions share are not counted.
package enum HistorySize {
    /// A transaction without its changes.
    package static let transaction: Int64 = 100
    /// A change without its values.
    package static let change: Int64 = 40
    /// An old value without the names of its table and column and the value.
    package static let oldValue: Int64 = 20
    /// A number in a value that is kept.
    package static let number: Int64 = 8

    /// The bytes of a change.
    package static func bytes(of found: HistoryChange, _ properties: HistoryProperties?) -> Int64 {
        let packed = found.kind == .update ? properties.map { Int64($0.packedWidth) } ?? 0 : 0
        return change + packed + found.tombstone.reduce(0) { $0 + bytes(of: $1) }
    }

    private static func bytes(of cell: DerivedCell) -> Int64 {
        switch cell.tag {
        case RowTag.null: 0
        case RowTag.text, RowTag.blob: Int64(cell.bytes.count)
        default: number
        }
    }
}

/// The order in which transactions are returned.
package enum HistoryOrder: Sendable {
    case oldestFirst
    case newestFirst
}
