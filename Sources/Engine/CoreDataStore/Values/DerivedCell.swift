import CoreDataModeling

/// A value in the form of a row's slot, owned by the cell; made for computed values.
package struct DerivedCell: Sendable {
    package private(set) var tag = RowTag.null
    package private(set) var bits: UInt64 = 0
    /// The bytes of a text or blob.
    package private(set) var bytes: [UInt8] = []

    /// Copies a value in the form of a row's slot.
    package init(_ stored: StoredValue) {
        (tag, bits) = (stored.tag, stored.bits)
        if tag == RowTag.text || tag == RowTag.blob { (bits, bytes) = (0, Array(stored.bytes)) }
    }

    /// Converts a value as an accessor would; a value that does not have the attribute's type becomes null.
    package init(_ value: Any?, of attribute: NSAttributeDescription) {
        if let cell = try? DerivedCell(accepting: value, of: attribute) { self = cell }
    }

    /// Converts a value as an accessor would.
    ///
    /// - Throws: a `ValueRejection` for a value of another type or out of range.
    package init(accepting value: Any?, of attribute: NSAttributeDescription) throws {
        let kind = AttributeKind(attribute)
        switch try SlotCoding.accept(value, for: attribute, kind) {
        case .integer(let integer): (tag, bits) = (RowTag.integer, UInt64(bitPattern: integer))
        case .real(let real): (tag, bits) = (RowTag.real, real.bitPattern)
        case .reference(let reference):
            var form: (tag: UInt8, bytes: [UInt8])?
            try SlotCoding.encode(reference, kind: kind, attribute: attribute) { form = ($0, Array($1)) }
            if let form { (tag, bytes) = form }
        case .null: break
        }
    }
}
