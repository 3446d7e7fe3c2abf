import CoreDataModeling

extension ValueTable {
    /// A dictionary for each row, without the keys whose values are nil.
    ///
    /// The keys are the same objects in all of them.
    consuming func dictionaries(_ names: [String]) -> [NSDictionary] {
        guard names.count == width else { return [] }
        var shapes = DictionaryShapes(keys: names.map { NSString(string: $0) })
        var dictionaries: [NSDictionary] = []
        dictionaries.reserveCapacity(count)
        forEachRow { dictionaries.append(.holding(shapes.dictionary($0))) }
        return dictionaries
    }
}

/// Dictionaries over the same keys, which are hashed once for all that have the same ones.
private struct DictionaryShapes {
    /// The columns of all keys.
    private let columns: [NSObject: Int]
    /// The columns of those keys that have a value, by the bits of these columns.
    private var present: [UInt64: [NSObject: Int]] = [:]
    /// Rows with gaps in ever other places would have a shape each.
    private static let mostShapes = 256
    private var last: (bits: UInt64, columns: [NSObject: Int]) = (0, [:])

    init(keys: [NSObject]) {
        columns = Dictionary(zip(keys, 0...)) { $1 }
    }

    /// The dictionary of a row, whose values are taken out.
    mutating func dictionary(_ row: UnsafeMutableBufferPointer<AnyObject?>) -> [NSObject: AnyObject] {
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
