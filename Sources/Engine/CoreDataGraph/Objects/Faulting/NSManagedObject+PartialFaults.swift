import CoreDataStore

/// Faults that were given some of their values without a row.
extension NSManagedObject {
    /// Gives a fault one of its values.
    func keepFetched(_ value: Any?, _ name: String) {
        guard case .attribute(let slot) = layout.places[name],
            case .attribute(let attribute, let kind) = layout.slots[slot].content,
            let accepted = try? SlotCoding.accept(value, for: attribute, kind)
        else { return }
        store(accepted, slot)
        workingValues().markCommitted(slot)
        flags.insert(.partial)
    }

    /// Whether a fault was given the value of a slot, so that reading it fires nothing.
    func hasFetched(_ slot: Int) -> Bool { flags.contains(.partial) && working?.isHeld(slot) == true }

    /// Forgets the values that the fault was given: it has a row now.
    func forgetFetchedValues() {
        flags.remove(.partial)
        working?.forgetCached(storedCount: layout.storedCount)
    }
}
