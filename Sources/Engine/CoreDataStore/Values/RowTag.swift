/// The tag byte of a slot: the storage class of the slot's value, numbered as in SQLite, with 0 for null.
@usableFromInline
package enum RowTag {
    @inlinable package static var null: UInt8 { 0 }
    @inlinable package static var integer: UInt8 { 1 }
    @inlinable package static var real: UInt8 { 2 }
    @inlinable package static var text: UInt8 { 3 }
    @inlinable package static var blob: UInt8 { 4 }
    /// Not one of SQLite's storage classes: a Foundation object or a `RowAddress` that the slab retains; only in rows
    /// that no store made.
    @inlinable package static var held: UInt8 { 5 }
}
