import CoreDataStore

/// A managed object as predicates and sorting see it: what reading by key would give, straight from the slots.
extension NSManagedObject: SlotReading {
    /// None for an object of another class than its entity's, whose accessors have not been examined.
    package var slotStamp: Int { type(of: self) == layout.objectClass ? layout.stamp : 0 }

    package func slot(of key: String) -> PlainSlot? {
        let objectClass = layout.objectClass
        guard !MethodOverrides.reading.isOverridden(by: objectClass), layout.table.property(named: key)?.get == nil
        else { return nil }
        return layout.plainSlot(of: key)
    }

    package func value(in slot: PlainSlot) -> SlotValue {
        if flags.contains(.guarded) { checkQueue("'\(layout.slots[slot.number].name)'") }
        if !flags.isDisjoint(with: [.fault, .left, .invalidated]) {
            guard flags.isDisjoint(with: [.left, .invalidated]) else { return .other }
            fireFaultIfNeeded(slot.number)
        }
        if let working, working.isHeld(slot.number) { return working.slotValue(slot) }
        guard let slab else { return .null }
        // The object holds the slab meanwhile.
        return Unmanaged.passUnretained(slab)._withUnsafeGuaranteedRef { $0.slotValue(Int(rowIndex), slot) }
    }

    package var evaluatedObject: Any? { self }
}

extension WorkingValues {
    /// What is kept for a slot, as the accessors give it.
    fileprivate func slotValue(_ slot: PlainSlot) -> SlotValue {
        switch (value(slot.number), slot.kind) {
        case (.null, _): .null
        case (.integer(let integer), .boolean): .integer(integer == 0 ? 0 : 1)
        case (.integer, .date), (.integer, .text): .other
        case (.integer(let integer), _): .integer(integer)
        case (.real(let real), .real), (.real(let real), .date): .real(real)
        case (.reference(let text as String), .text): .string(text)
        default: .other
        }
    }
}
