import CoreDataStore

/// Reading of a managed object's properties by predicates and sort descriptors: directly from the slots, with the same
/// results as by key.
extension NSManagedObject: SlotReading {
    /// 0, which means no direct reading, for an object whose class differs from its entity's: that class's accessors
    /// were not examined.
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
        // The object retains the slab meanwhile.
        return Unmanaged.passUnretained(slab)._withUnsafeGuaranteedRef { $0.slotValue(Int(rowIndex), slot) }
    }

    package var evaluatedObject: Any? { self }
}

extension WorkingValues {
    /// Returns the working value of a slot as the accessors return it.
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
