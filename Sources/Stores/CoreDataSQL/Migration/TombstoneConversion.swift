import CoreDataStore

/// Converts the value of a deleted object that the history preserves to one of the attribute after a migration.
///
/// Numbers are converted like those of rows. A number that does not fit its new type becomes nil: it can no longer be
/// corrected, and must not prevent the migration of existing rows.
struct TombstoneConversion {
    /// A plain attribute, or an element of a composite one.
    private struct Leaf {
        let attribute: NSAttributeDescription
        /// The index of its value among the old ones; nil for a new element.
        let origin: Int?
        /// Nil if the type stays the same.
        let conversion: NumberConversion?
    }

    private let leaves: [Leaf]
    private let isComposite: Bool

    /// Returns nil if values stay as they are.
    init?(from old: NSAttributeDescription, to new: NSAttributeDescription) {
        let former = CompositeCoding.leaves(of: old)
        let places = Dictionary(
            former.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
        let origins = CompositeMatching.origins(of: new, in: old)
        leaves = CompositeCoding.leaves(of: new).map { leaf in
            let origin = origins[leaf.path]
            return Leaf(
                attribute: leaf.attribute,
                origin: origin.flatMap { places[$0.path] },
                conversion: origin.flatMap {
                    NumberConversion(from: $0.attribute.attributeType, to: leaf.attribute.attributeType)
                })
        }
        isComposite = new is NSCompositeAttributeDescription
        let staysAsIs =
            leaves.count == former.count && leaves.indices.allSatisfy { leaves[$0].origin == $0 }
            && leaves.allSatisfy { $0.conversion == nil }
        if staysAsIs { return nil }
    }

    func converted(_ cell: DerivedCell) -> DerivedCell {
        guard isComposite else { return leaves.first.map { value($0, of: [cell]) } ?? .null }
        guard cell.tag == RowTag.blob else { return .null }
        let former = cell.bytes.withUnsafeBytes { CompositeCoding.elements(in: $0).map(DerivedCell.init) }
        return DerivedCell(elements: leaves.map { value($0, of: former) })
    }

    private func value(_ leaf: Leaf, of former: [DerivedCell]) -> DerivedCell {
        guard let origin = leaf.origin, former.indices.contains(origin) else { return .null }
        guard let conversion = leaf.conversion else { return former[origin] }
        guard let number = StoredNumber(former[origin])?.exact(conversion.old) else { return .null }
        switch conversion.exact(number) {
        case .integer(let integer): return DerivedCell(NSNumber(value: integer), of: leaf.attribute)
        case .double(let double): return DerivedCell(NSNumber(value: double), of: leaf.attribute)
        case .decimal(let decimal): return DerivedCell(NSDecimalNumber(decimal: decimal), of: leaf.attribute)
        case .unsigned, nil: return .null
        }
    }
}
