import CoreDataStore

/// An index of one uniqueness constraint of an entity, over the rows of the entity and its descendants.
///
/// A row with nil for one of the constraint's properties never violates it, as in SQL.
struct UniqueIndex {
    /// The changes that a save makes in the index.
    struct Change {
        var removed: Set<[UInt8]> = []
        var added: [[UInt8]: Int64] = [:]
    }

    let layout: EntityLayout
    let names: [String]
    private let parts: [Part]
    private var owners: [[UInt8]: Int64] = [:]

    /// A property, or an element of a composite attribute.
    private struct Part {
        let property: String
        let slot: Int
        /// The index of the element in `CompositeCoding.leaves(of:)`; nil for an entire property.
        let element: Int?
    }

    private init?(_ layout: EntityLayout, _ names: [String]) {
        self.layout = layout
        self.names = names
        parts = names.compactMap { Self.part($0, of: layout) }
        guard !names.isEmpty, parts.count == names.count, !names.contains(where: { Self.isLate($0, layout) }) else {
            return nil
        }
    }

    private static func part(_ name: String, of layout: EntityLayout) -> Part? {
        guard let path = PropertyPath(name, in: layout.entity), let slot = slot(of: path.property.name, in: layout),
            slot < layout.storedCount
        else { return nil }
        guard !path.elementPath.isEmpty else { return Part(property: name, slot: slot, element: nil) }
        return CompositeCoding.place(of: path.elementPath, in: path.property).map {
            Part(property: path.property.name, slot: slot, element: $0)
        }
    }

    /// Whether a property is derived from other rows, so that its value is known only after they are written;
    /// constraints with such properties are not enforced.
    private static func isLate(_ name: String, _ layout: EntityLayout) -> Bool {
        guard let derived = layout.entity.attributesByName[name] as? NSDerivedAttributeDescription else { return false }
        return DerivationFormula(of: derived, in: layout.entity)?.comesFromOwnRow == false
    }

    /// The constraints that the entities of a model declare.
    static func all(of model: ModelLayout) -> [UniqueIndex] {
        model.entities.flatMap { layout in
            layout.entity.uniquenessConstraintNames.compactMap { UniqueIndex(layout, $0) }
        }
    }

    /// Removes the values of a row that the save deletes or replaces.
    func giveUp(_ row: RowSnapshot, in change: inout Change) {
        if let values = values(of: row) { change.removed.insert(values) }
    }

    /// Adds the values of a row. If another row has them, adds nothing and returns that row's key.
    func take(_ row: RowSnapshot, in change: inout Change) -> Int64? {
        guard let values = values(of: row) else { return nil }
        if let owner = owners[values], !change.removed.contains(values) { return owner }
        if let rival = change.added[values] { return rival }
        change.added[values] = row.key
        return nil
    }

    mutating func apply(_ change: Change) {
        for values in change.removed { owners[values] = nil }
        guard !owners.isEmpty else {
            owners = change.added
            return
        }
        owners.merge(change.added) { $1 }
    }

    /// The encoded values of a row; nil if one value is nil, or if the row does not have the constraint's entity.
    private func values(of row: RowSnapshot) -> [UInt8]? {
        guard row.slab.layout.entity.isKindOf(entity: layout.entity) else { return nil }
        var result: [UInt8] = []
        for part in parts {
            let slot =
                row.slab.layout === layout ? part.slot : Self.slot(of: part.property, in: row.slab.layout) ?? part.slot
            guard Self.append(row.slab.storedValue(row.index, slot), part.element, to: &result) else { return nil }
        }
        return result
    }

    private static func slot(of name: String, in layout: EntityLayout) -> Int? {
        switch layout.places[name] {
        case .attribute(let slot), .toOne(let slot): slot
        default: nil
        }
    }

    private static func append(_ value: StoredValue, _ element: Int?, to result: inout [UInt8]) -> Bool {
        if let element {
            let elements = value.tag == RowTag.blob ? CompositeCoding.elements(in: value.bytes) : []
            return element < elements.count && append(elements[element], nil, to: &result)
        }
        result.append(value.tag)
        switch value.tag {
        case RowTag.null: return false
        case RowTag.text, RowTag.blob:
            withUnsafeBytes(of: value.bytes.count) { result.append(contentsOf: $0) }
            result.append(contentsOf: value.bytes)
        // Zero and negative zero are equal, so both are encoded as 0.
        case RowTag.real where value.real == 0: result.append(0)
        default: withUnsafeBytes(of: value.bits) { result.append(contentsOf: $0) }
        }
        return true
    }
}
