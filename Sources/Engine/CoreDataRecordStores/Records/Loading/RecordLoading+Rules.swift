import CoreDataStore

/// Checks the values against the model's validation rules. A store that violates them can be opened, so this runs only
/// if faults are collected.
extension RecordLoading {
    func checkRules() throws {
        for (number, slab) in slabs.enumerated() {
            let entity = slab.layout.entity
            for slot in 0..<slab.layout.storedCount {
                guard let property = Self.required(slab.layout.slots[slot].content) else { continue }
                for index in 0..<slab.count where slab.tag(index, slot) == RowTag.null {
                    try fault(
                        .missingValue, reason: "'\(property)' is required and has no value",
                        record: record(slab: number, index: index), property: property,
                        remedy: setDefault(slab, index: index, slot: slot, of: entity)
                            ? "It gets the default value of the model." : nil)
                }
            }
        }
        try checkConstraints()
    }

    /// The name of the slot's property if it must have a value.
    private static func required(_ content: EntityLayout.Content) -> String? {
        switch content {
        case .attribute(let attribute, _):
            attribute.isOptional || attribute is NSDerivedAttributeDescription ? nil : attribute.name
        case .toOne(let relationship): relationship.isOptional ? nil : relationship.name
        default: nil
        }
    }

    private func setDefault(_ slab: RowSlab, index: Int, slot: Int, of entity: NSEntityDescription) -> Bool {
        guard faults != nil, case .attribute = slab.layout.slots[slot].content,
            let (_, value) = DefaultRow.values(of: slab.layout.slots, from: slot, upTo: slot + 1).first
        else { return false }
        switch value {
        case .integer(let integer):
            slab.set(RowTag.integer, UInt64(bitPattern: integer), row: slab.row(index), slot: slot)
        case .real(let real): slab.set(RowTag.real, real.bitPattern, row: slab.row(index), slot: slot)
        case .null, .reference: return false
        }
        return true
    }

    private func checkConstraints() throws {
        for constraint in tables.constraints {
            var change = UniqueIndex.Change()
            for (number, slab) in slabs.enumerated() where slab.layout.entity.isKindOf(entity: constraint.layout.entity)
            {
                for index in 0..<slab.count
                where constraint.take(RowSnapshot(slab: slab, index: index), in: &change) != nil {
                    try fault(
                        .duplicateValues,
                        reason:
                            "another record has the same \(constraint.names.joined(separator: " and ")), which the model wants to "
                            + "be unique", record: record(slab: number, index: index),
                        property: constraint.names.joined(separator: ", "), remedy: nil)
                }
            }
        }
    }
}
