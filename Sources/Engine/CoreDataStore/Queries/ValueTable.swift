import CoreDataModeling

/// The rows of a result: each value is nil or a Foundation object such as `NSNumber` or `NSString`.
///
/// All values are in one block of memory, so that a row has no overhead. Only one thread at a time may use a table.
package final class ValueTable: @unchecked Sendable {
    /// The number of values of a row, at least one.
    package let width: Int
    private var cells: UnsafeMutablePointer<AnyObject?>
    private var capacity: Int
    private var cellCount = 0

    /// - Parameter capacity: the number of rows for which memory is allocated initially.
    package init(width: Int, capacity: Int = 1) {
        self.width = max(1, width)
        self.capacity = max(1, capacity) * self.width
        cells = .allocate(capacity: self.capacity)
    }

    deinit {
        // Usually the readers have taken all values out of the table by now.
        for cell in 0..<cellCount where cells[cell] != nil { cells[cell] = nil }
        cells.deallocate()
    }

    package var count: Int { cellCount / width }

    /// Adds the next value of the row that is being filled.
    package func append(_ cell: consuming AnyObject?) {
        if cellCount == capacity { grow() }
        (cells + cellCount).initialize(to: cell)
        cellCount += 1
    }

    /// Adds a row of nil values and returns a pointer to it, which is valid until another row is added.
    package func appendRow() -> UnsafeMutablePointer<AnyObject?> {
        while cellCount + width > capacity { grow() }
        let row = cells + cellCount
        row.initialize(repeating: nil, count: width)
        cellCount += width
        return row
    }

    package func append(_ other: ValueTable) {
        for cell in 0..<other.cellCount { append(other.cells[cell]) }
    }

    private func grow() {
        let larger = UnsafeMutablePointer<AnyObject?>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: cells, count: cellCount)
        cells.deallocate()
        (cells, capacity) = (larger, capacity * 2)
    }

    /// Calls `body` with each row; `body` may take the values out of the row.
    package func forEachRow(_ body: (UnsafeMutableBufferPointer<AnyObject?>) -> Void) {
        for row in 0..<count { body(UnsafeMutableBufferPointer(start: cells + row * width, count: width)) }
    }

    package func row(_ index: Int) -> [AnyObject?] { (0..<width).map { value(index, $0) } }

    package func value(_ row: Int, _ column: Int) -> AnyObject? {
        precondition(row >= 0 && row < count && column >= 0 && column < width, "the table has no such value")
        return cells[row * width + column]
    }

    /// A new table of the rows at the given indexes, in this order, with the first `width` values of each.
    package func rows(_ numbers: some Sequence<Int>, width wanted: Int) -> ValueTable {
        let table = ValueTable(width: wanted)
        for number in numbers {
            for column in 0..<wanted { table.append(value(number, column)) }
        }
        return table
    }
}
