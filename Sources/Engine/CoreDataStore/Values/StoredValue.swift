import CoreDataModeling

/// A borrowed value in the form of a row's slot; valid while the row's memory is.
package struct StoredValue {
    /// The storage class, one of `RowTag`.
    package let tag: UInt8
    /// The integer, or the bit pattern of the real.
    package let bits: UInt64
    /// The bytes of a text or blob; empty for other values.
    package let bytes: UnsafeRawBufferPointer

    package init(tag: UInt8, bits: UInt64, bytes: UnsafeRawBufferPointer) {
        self.tag = tag
        self.bits = bits
        self.bytes = bytes
    }

    package var integer: Int64 { Int64(bitPattern: bits) }

    package var real: Double { Double(bitPattern: bits) }
}
