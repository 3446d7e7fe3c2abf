/// The size in bytes that is reported for a history: the same history has the same size in every type of store.
///
/// The size of each row is a constant, which includes its index entries, as measured with `dbstat` in SQLite files. The
/// bytes of sets of changed properties, of preserved values and of old values are added. Strings that transactions
/// share are not counted.
package enum HistorySize {
    /// The size of a transaction without its changes.
    package static let transaction: Int64 = 100
    /// The size of a change without its values.
    package static let change: Int64 = 40
    /// The size of an old value, without the value itself and the names of its table and column.
    package static let oldValue: Int64 = 20
    /// The size of a number among the preserved values.
    package static let number: Int64 = 8

    /// The size of a change with its values.
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
