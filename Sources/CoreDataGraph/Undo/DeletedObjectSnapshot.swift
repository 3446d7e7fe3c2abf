import CoreDataStore

/// What is left of a deleted object: enough to insert it again once its deletion has been saved.
///
/// Large values are read when the object is marked, since the save may take their files away; the others when the
/// object leaves its context.
final class DeletedObjectSnapshot {
    let object: NSManagedObject
    private var large: [Int: HeldValue] = [:]
    private var values: [HeldValue] = []
    private var members: [[NSManagedObject]] = []

    init(_ object: NSManagedObject) {
        self.object = object
        for slot in 0..<object.layout.storedCount where object.layout.isLarge(slot) {
            large[slot] = object.presentValue(slot)
        }
    }

    /// Whether the object has left its context.
    var isComplete: Bool { !values.isEmpty }

    /// Takes over the values of the object, which is about to leave its context.
    func capture() {
        guard !isComplete, !object.isFault else { return }
        let layout = object.layout
        values = (0..<layout.slots.count).map { large[$0] ?? object.presentValue($0) }
        members = layout.toMany.indices.map { object.toManyLinks($0)?.objects ?? [] }
        large = [:]
    }

    /// Gives the object, now a new one, what it had.
    func restore() {
        let working = object.workingValues()
        for (slot, value) in values.enumerated() where !object.layout.traits[slot].contains(.targetNumber) {
            object.store(value, slot)
        }
        working.toMany = zip(object.layout.toMany, members).map { relationship, members in
            ToManyLinks(isOrdered: relationship.isOrdered, adding: members)
        }
    }
}

extension EntityLayout {
    /// Whether a store may keep the value of a slot outside the row.
    func isLarge(_ slot: Int) -> Bool {
        if traits[slot].contains(.large) { return true }
        guard case .attribute(_, .composite) = slots[slot].content else { return false }
        return true
    }

    /// Whether a slot has binary data that a store keeps in the row, byte for byte.
    func keepsBytesAsGiven(_ slot: Int) -> Bool {
        guard case .attribute(let attribute, _) = slots[slot].content else { return false }
        return attribute.attributeType == .binaryDataAttributeType && !attribute.allowsExternalBinaryDataStorage
    }
}

extension NSManagedObject {
    /// The value of a slot as it is kept in memory.
    func presentValue(_ slot: Int) -> HeldValue {
        if let working, working.isHeld(slot) { return working.value(slot) }
        switch layout.slots[slot].content {
        case .toOne: return relatedObject(slot).map { .reference($0) } ?? .null
        case .targetNumber: return .null
        case .attribute(let attribute, let kind):
            guard slot < layout.storedCount, let slab else { return .null }
            return storedValue(slab, Int(rowIndex), slot, attribute, kind)
        }
    }

    /// The value that a row has in an attribute's slot, as it would be kept in memory.
    func storedValue(
        _ slab: RowSlab, _ row: Int, _ slot: Int, _ attribute: NSAttributeDescription, _ kind: AttributeKind
    ) -> HeldValue {
        switch slab.tag(row, slot) {
        case RowTag.null: return .null
        case RowTag.integer where layout.traits[slot].takes(slab.integer(row, slot)):
            return .integer(slab.integer(row, slot))
        case RowTag.real where layout.traits[slot].contains(.real): return .real(slab.real(row, slot))
        default:
            let value = SlotCoding.decode(slab, row, slot, kind, attribute, owner: self)
            return (try? SlotCoding.accept(value, for: attribute, kind)) ?? .null
        }
    }
}
