import CoreDataStore

/// A row that is being copied; valid until the closure that receives it returns.
package struct TableRow {
    /// The values in the order of the table's columns; null for a value that is in `long`.
    package let values: UnsafeBufferPointer<StoredValue>
    /// The values that are read in parts, by column index.
    package let long: [Int: any LongValue]

    package init(_ values: UnsafeBufferPointer<StoredValue>, long: [Int: any LongValue] = [:]) {
        self.values = values
        self.long = long
    }
}

/// A string or data that is copied in parts, as it can be of any size.
package protocol LongValue: AnyObject {
    /// `RowTag.text` or `RowTag.blob`.
    var tag: UInt8 { get }
    /// The number of its bytes: of the text's UTF-8, or of the data.
    var count: Int { get }
    /// Passes all bytes to `body` in their order, a part at a time; may be called again.
    ///
    /// - Throws: also if the number of bytes is not `count`.
    func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws
}

extension LongValue {
    /// All bytes at once.
    package func whole() throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        try read { bytes.append(contentsOf: $0) }
        return bytes
    }
}

/// The sizes from which values are read in parts.
package enum LongValueSize {
    /// A value with more bytes is never in memory as a whole.
    package static let limit = 1 << 20
    /// A value with more bytes is read in parts if its row is larger than `limit`.
    package static let limitInLongRow = 1 << 16
    /// How many bytes are read at a time.
    package static let part = 1 << 20
}
