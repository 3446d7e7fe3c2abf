import CoreDataModeling

/// Rows of values, ready to be handed out: a value is nil or an object of Foundation's type, `NSNumber`, `NSString`, ….
///
/// All values lie in one list, so a row costs nothing by itself.
package struct ValueTable {
    /// How many values a row has, at least one.
    package let width: Int
    private(set) var cells: ContiguousArray<AnyObject?> = []

    package init(width: Int) { self.width = max(1, width) }

    package var count: Int { cells.count / width }

    /// Adds the next value of the row that is being filled.
    package mutating func append(_ cell: consuming AnyObject?) { cells.append(cell) }

    package mutating func append(_ other: ValueTable) { cells += other.cells }

    /// Hands each row to a body, which may take the values out; nothing of the table is left then.
    consuming func forEachRow(_ body: (UnsafeMutableBufferPointer<AnyObject?>) -> Void) {
        let width = width
        cells.withUnsafeMutableBufferPointer { cells in
            for start in stride(from: 0, to: cells.count, by: width) {
                body(UnsafeMutableBufferPointer(rebasing: cells[start..<start + width]))
            }
        }
    }

    package func row(_ index: Int) -> ArraySlice<AnyObject?> {
        ArraySlice(cells[index * width..<(index + 1) * width])
    }

    package func value(_ row: Int, _ column: Int) -> AnyObject? { cells[row * width + column] }

    /// The rows with the given numbers, in this order, with their first `width` values.
    func rows(_ numbers: some Sequence<Int>, width wanted: Int) -> ValueTable {
        var table = ValueTable(width: wanted)
        for number in numbers { table.cells += cells[number * width..<number * width + wanted] }
        return table
    }
}
