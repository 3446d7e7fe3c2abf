import CoreDataModeling

/// A computed value in the form in which a row holds it; null for one that is not of its attribute's type.
package struct DerivedCell: Sendable {
    package private(set) var tag = RowTag.null
    package private(set) var bits: UInt64 = 0
    /// What a text or data consists of.
    package private(set) var bytes: [UInt8] = []

    /// Takes a value in the form in which a row has it.
    package init(_ stored: StoredValue) {
        (tag, bits) = (stored.tag, stored.bits)
        if tag == RowTag.text || tag == RowTag.blob { (bits, bytes) = (0, Array(stored.bytes)) }
    }

    /// Converts a value as an accessor would, but never fails.
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
