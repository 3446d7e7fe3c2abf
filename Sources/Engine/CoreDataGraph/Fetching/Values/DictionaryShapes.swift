import CoreDataStore

/// Makes dictionaries with the same keys; keys are hashed once for all rows in which the same columns have values.
///
/// All dictionaries of one thread have the same objects as keys; keys whose values are nil are left out.
struct DictionaryShapes {
    private let width: Int
    /// The columns by all keys.
    private let columns: [NSObject: Int]
    /// The columns by the keys that have a value, for each set of such columns as bits.
    private var present: [UInt64: [NSObject: Int]] = [:]
    /// Limits memory: rows may have values in ever different columns.
    private static let mostShapes = 256
    private var last: (bits: UInt64, columns: [NSObject: Int]) = (0, [:])

    /// - Parameter names: the keys, in the order of the columns.
    init(_ names: [String]) {
        width = names.count
        columns = Dictionary(zip(names.map { NSString(string: $0) }, 0...)) { $1 }
    }

    /// Makes a dictionary for each row, moving the values out of the table.
    mutating func dictionaries(_ table: ValueTable) -> DictionaryPart? {
        guard table.width == width else { return nil }
        let dictionaries = DictionaryPart(capacity: table.count)
        table.forEachRow { dictionaries.append(.holding(dictionary($0))) }
        return dictionaries
    }

    /// Makes the dictionary of a row, moving its values out of the table.
    private mutating func dictionary(_ row: UnsafeMutableBufferPointer<AnyObject?>) -> [NSObject: AnyObject] {
        guard row.count <= UInt64.bitWidth else { return columns.compactMapValues { row[$0].take() } }
        var bits: UInt64 = 0
        for column in row.indices where row[column] != nil { bits |= 1 << column }
        if bits != last.bits { last = (bits, columns(bits)) }
        return last.columns.mapValues { row[$0].take()! }
    }

    private mutating func columns(_ bits: UInt64) -> [NSObject: Int] {
        if let known = present[bits] { return known }
        let shape = columns.filter { bits & 1 << $0.value != 0 }
        if present.count == Self.mostShapes { present.removeAll() }
        present[bits] = shape
        return shape
    }
}
