import CoreDataStore

/// A change of a store's history, with its numbers resolved to the entity and properties.
package struct HistoryChangeDetails {
    let id: Int64
    let kind: ChangeRecord.Kind
    let address: RowAddress
    private let changed: SlotSet?
    private let kept: [DerivedCell]
    private let properties: HistoryProperties

    package init(_ change: HistoryChange, address: RowAddress, properties: HistoryProperties) {
        id = change.id
        kind = change.kind
        self.address = address
        changed = change.properties
        kept = change.tombstone
        self.properties = properties
    }

    var type: NSPersistentHistoryChangeType {
        switch kind {
        case .insert: .insert
        case .update: .update
        case .delete: .delete
        }
    }

    /// The names of the properties that an update changed; nil for other changes, and if the history does not have
    /// them.
    package var updatedNames: [String]? {
        guard kind == .update else { return nil }
        return changed.map(properties.names(of:))
    }

    /// The values preserved of a deleted row; nil for other changes, and if the entity preserves none.
    package var tombstone: [String: Any]? {
        guard kind == .delete, !properties.tombstoneSlots.isEmpty else { return nil }
        let layout = address.binding.layout
        let slab = address.binding.blankRow
        var values: [String: Any] = [:]
        for (slot, cell) in zip(properties.tombstoneSlots, kept) {
            guard case .attribute(let attribute, let kind) = layout.slots[slot].content else { continue }
            cell.write(to: slab, 0, slot)
            // A value of another type than the attribute's, such as from before a change of the model, is left out.
            let value = try? SlotCoding.value(slab, index: 0, slot: slot, kind: kind, attribute: attribute)
            if let value { values[attribute.name] = value }
        }
        return values
    }
}
