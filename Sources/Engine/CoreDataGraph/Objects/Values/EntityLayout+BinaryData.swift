import CoreDataStore

extension EntityLayout {
    /// Whether a store may keep the value of a slot outside the row.
    func isLarge(_ slot: Int) -> Bool {
        if traits[slot].contains(.large) { return true }
        guard case .attribute(_, .composite) = slots[slot].content else { return false }
        return true
    }

    /// Whether a slot contains binary data that a store always keeps in the row, unchanged.
    func keepsBytesAsGiven(_ slot: Int) -> Bool {
        guard case .attribute(let attribute, _) = slots[slot].content else { return false }
        return attribute.attributeType == .binaryDataAttributeType && !attribute.allowsExternalBinaryDataStorage
    }
}
