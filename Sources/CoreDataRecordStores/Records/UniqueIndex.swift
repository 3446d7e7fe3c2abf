import CoreDataStore

/// One uniqueness constraint of an entity, over the entity's rows and those of its descendants.
///
/// A row in which one of the values is nil never collides, as in SQL.
struct UniqueIndex {
    /// What a save does to the index.
    struct Change {
        var removed: Set<[UInt8]> = []
        var added: [[UInt8]: Int64] = [:]
    }

    let layout: EntityLayout
    let names: [String]
    private let slots: [Int]
    private var owners: [[UInt8]: Int64] = [:]

    private init?(_ layout: EntityLayout, _ names: [String]) {
        self.layout = layout
        self.names = names
        slots = names.compactMap { name in
            switch layout.places[name] {
            case .attribute(let slot), .toOne(let slot): slot < layout.storedCount ? slot : nil
            default: nil
            }
        }
        guard !names.isEmpty, slots.count == names.count, !names.contains(where: { Self.isLate($0, layout) }) else {
            return nil
        }
    }

    /// Whether a value is known only once other rows are written: such a one is not kept unique.
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

    /// Lets a row that is deleted or written over give up its values.
    func giveUp(_ row: RowSnapshot, in change: inout Change) {
        if let values = values(of: row) { change.removed.insert(values) }
    }

    /// Lets a row have its values, unless another has them: then gives the key of that one.
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

    /// The values of a row as bytes; nil where one is nil, and for a row of another entity.
    private func values(of row: RowSnapshot) -> [UInt8]? {
        guard row.slab.layout.entity.isKindOf(entity: layout.entity) else { return nil }
        var result: [UInt8] = []
        for (name, slot) in zip(names, slots) {
            let own = row.slab.layout === layout ? slot : Self.slot(of: name, in: row.slab.layout) ?? slot
            guard Self.append(row.slab, row.index, own, to: &result) else { return nil }
        }
        return result
    }

    private static func slot(of name: String, in layout: EntityLayout) -> Int? {
        switch layout.places[name] {
        case .attribute(let slot), .toOne(let slot): slot
        default: nil
        }
    }

    private static func append(_ slab: RowSlab, _ index: Int, _ slot: Int, to result: inout [UInt8]) -> Bool {
        let tag = slab.tag(index, slot)
        result.append(tag)
        switch tag {
        case RowTag.null: return false
        case RowTag.text, RowTag.blob:
            let bytes = slab.bytes(index, slot)
            withUnsafeBytes(of: bytes.count) { result.append(contentsOf: $0) }
            result.append(contentsOf: bytes)
        // The two zeros are equal.
        case RowTag.real where slab.real(index, slot) == 0: result.append(0)
        default: withUnsafeBytes(of: slab.bits(index, slot)) { result.append(contentsOf: $0) }
        }
        return true
    }
}
