/// The tag byte of a slot: which of SQLite's storage classes the slot's eight bytes are, by SQLite's numbers, null 0.
@usableFromInline
package enum RowTag {
    @inlinable package static var null: UInt8 { 0 }
    @inlinable package static var integer: UInt8 { 1 }
    @inlinable package static var real: UInt8 { 2 }
    @inlinable package static var text: UInt8 { 3 }
    @inlinable package static var blob: UInt8 { 4 }
    /// No class of SQLite's: a value or a `RowAddress` that the slab holds as it is; in rows that no store has made.
    @inlinable package static var held: UInt8 { 5 }
}
