import CoreDataStore

/// A row as it is copied; good until the body that it is handed to returns.
package struct TableRow {
    /// The values in the order of the table's columns; null in place of one that is in `long`.
    package let values: UnsafeBufferPointer<StoredValue>
    /// The values that are read by parts, by the numbers of their columns.
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
    /// Hands out all bytes in their order, some at a time; may be called again.
    ///
    /// - Throws: also where they are not as many as `count` says.
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

/// Which values are read by parts.
package enum LongValueSize {
    /// What has more bytes does not go into memory.
    package static let limit = 1 << 20
    /// What is larger is read by parts where its row is larger than `limit`.
    package static let limitInLongRow = 1 << 16
    /// How many bytes are read at a time.
    package static let part = 1 << 20
}
