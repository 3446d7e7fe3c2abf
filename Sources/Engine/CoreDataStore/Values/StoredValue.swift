import CoreDataModeling

/// A value in the form in which a row has it, lent by the holder of the row.
package struct StoredValue {
    /// One of `RowTag`.
    package let tag: UInt8
    /// The integer, or the bits of the real.
    package let bits: UInt64
    /// The text or blob; empty for anything else.
    package let bytes: UnsafeRawBufferPointer

    package init(tag: UInt8, bits: UInt64, bytes: UnsafeRawBufferPointer) {
        self.tag = tag
        self.bits = bits
        self.bytes = bytes
    }

    package var integer: Int64 { Int64(bitPattern: bits) }

    package var real: Double { Double(bitPattern: bits) }
}
