import CoreDataStore

/// Reading and writing values by slot, which all accessors use.
extension NSManagedObject {
    /// Fires the object if it is a fault.
    func fireFaultIfNeeded() {
        if flags.contains(.fault) { FaultResolver.fire(self) }
    }

    /// Checks the queue, fires the fault if the slot's value is unknown, and reports the read for observation tracking.
    @inline(__always) func willRead(_ slot: Int) {
        guard !flags.isDisjoint(with: .readWithCare) else { return }
        if flags.contains(.guarded) { checkQueue("'\(layout.slots[slot].name)'") }
        fireFaultIfNeeded(slot)
        if flags.contains(.tracked) { operations.noteRead(.slot(slot)) }
    }

    /// Fires the object if it is a fault, for a read of a slot, unless a fetch gave it the slot's value.
    func fireFaultIfNeeded(_ slot: Int) {
        guard flags.contains(.fault), !hasFetched(slot) else { return }
        FaultResolver.fire(self, triggeredBy: entity.propertiesByName[layout.slots[slot].name])
    }

    /// Returns the value of an attribute as an object of Foundation's type: NSNumber, String, Date, ...; nil for null.
    @usableFromInline func attributeValue(_ slot: Int) -> Any? {
        willRead(slot)
        guard case .attribute(let attribute, let kind) = layout.slots[slot].content else { return nil }
        if let working, working.isHeld(slot) { return Self.foundationValue(working.value(slot), kind) }
        guard slot < layout.storedCount, let slab else {
            return transientDefault(slot).flatMap { Self.foundationValue($0, kind) }
        }
        let value = SlotCoding.decode(
            slab, index: Int(rowIndex), slot: slot, kind: kind, attribute: attribute, owner: self)
        if let value, SlotCoding.isWorthKeeping(kind) {
            workingValues().setReference(value, place: WorkingValues.State.cached, slot: slot)
        }
        return value
    }

    /// Sets an attribute to a value of its type, or nil; stops for a value of another type.
    @usableFromInline func setAttributeValue(_ value: Any?, _ slot: Int) {
        guard let accepted = accepted(value, slot) else { return }
        willChange(.value(slot))
        store(accepted, slot)
        didChange(.value(slot))
    }

    /// Sets an attribute like `setAttributeValue`, without reporting a change.
    func setPrimitiveAttributeValue(_ value: Any?, _ slot: Int) {
        if flags.contains(.guarded) { checkQueue("the primitive value of '\(layout.slots[slot].name)'") }
        if let accepted = accepted(value, slot) { store(accepted, slot) }
    }

    /// Converts a value to the form of the slot; stops for a value of another type. A number outside the attribute's
    /// range is kept, and the object is flagged for validation.
    private func accepted(_ value: Any?, _ slot: Int) -> HeldValue? {
        guard case .attribute(let attribute, let kind) = layout.slots[slot].content else { return nil }
        if attribute is NSDerivedAttributeDescription { stop(ValueRejection.derived(attribute).description) }
        fireFaultIfNeeded()
        return orStop {
            do {
                return try SlotCoding.accept(value, for: attribute, kind)
            } catch let error as ValueRejection where error.code == .outOfRange {
                guard let number = value as? NSNumber else { throw error }
                flags.insert(.exceeding)
                return SlotCoding.exceeding(number, kind)
            }
        }
    }

    /// Returns the default value of a transient attribute that was not set since the object was read: rows do not
    /// contain transient attributes.
    ///
    /// A computed default is computed once for the object, and then kept.
    func transientDefault(_ slot: Int) -> HeldValue? {
        guard slot >= layout.storedCount, flags.isDisjoint(with: [.inaccessible, .fault]) else { return nil }
        if let known = layout.transientDefaults.first(where: { $0.0 == slot }) { return known.1 }
        guard let computed = layout.runTimeDefaults.first(where: { $0.0 == slot })?.1 else { return nil }
        storeDefault(computed.makeValue(), slot)
        let working = workingValues()
        guard working.isHeld(slot) else { return nil }
        working.markCommitted(slot)
        return working.value(slot)
    }

    /// Sets the working value of a slot to a converted value, without notifications.
    func store(_ value: HeldValue, _ slot: Int) {
        let working = workingValues()
        switch value {
        case .null: working.setNull(slot: slot)
        case .integer(let integer): working.setInteger(integer, slot: slot)
        case .real(let real): working.setReal(real, slot: slot)
        case .reference(let reference):
            working.setReference(reference, place: WorkingValues.State.changed, slot: slot)
        }
    }

    /// Sets the working value of a slot to a default value, without notifications; ignores a value of another type.
    func storeDefault(_ value: Any, _ slot: Int) {
        guard case .attribute(let attribute, let kind) = layout.slots[slot].content,
            let accepted = try? SlotCoding.accept(value, for: attribute, kind)
        else { return }
        store(accepted, slot)
    }

    func workingValues() -> WorkingValues {
        if let working { return working }
        let made = WorkingValues(layout: layout)
        working = made
        return made
    }

    /// Converts a working value to an object of Foundation's type: NSNumber, String, Date, ...; nil for null.
    package static func foundationValue(_ value: HeldValue, _ kind: AttributeKind) -> Any? {
        switch value {
        case .null: nil
        case .reference(let reference): reference
        case .integer(let integer): SlotCoding.number(integer, kind)
        case .real(let real): kind == .date ? Date(timeIntervalSinceReferenceDate: real) : NSNumber.holding(real)
        }
    }

    // MARK: Numbers without boxing

    /// Returns the slab of an object that is not a fault, lacks working values and needs no check: the fast path of
    /// reading numbers. Separate functions read in all other cases, so that the fast path needs no stack frame.
    @inline(__always) private func unchangedSlab(_ slot: Int) -> RowSlab? {
        guard flags.isDisjoint(with: .readWithCare), working == nil, let slab, slot < slab.storedCount else {
            return nil
        }
        return slab
    }

    /// Returns the integer in a slot; nil for null and for a value of another type.
    @usableFromInline func integerValue(_ slot: Int) -> Int64? {
        guard let slab = unchangedSlab(slot) else { return integerValueSlowly(slot) }
        return slab.tag(Int(rowIndex), slot) == RowTag.integer ? slab.integer(Int(rowIndex), slot) : nil
    }

    @inline(never) private func integerValueSlowly(_ slot: Int) -> Int64? {
        willRead(slot)
        if let working, working.isHeld(slot) {
            switch working.value(slot) {
            case .integer(let value): return value
            // A number outside the range of `Int64`.
            case .reference(let number as NSNumber) where flags.contains(.exceeding): return number.int64Value
            default: return nil
            }
        }
        guard slot < layout.storedCount else {
            guard case .integer(let value)? = transientDefault(slot) else { return nil }
            return value
        }
        guard let slab, slab.tag(Int(rowIndex), slot) == RowTag.integer else { return nil }
        return slab.integer(Int(rowIndex), slot)
    }

    /// Returns the real number in a slot; nil for null and for a value that is not a number.
    @usableFromInline func realValue(_ slot: Int) -> Double? {
        guard let slab = unchangedSlab(slot), slab.tag(Int(rowIndex), slot) == RowTag.real else {
            return realValueSlowly(slot)
        }
        return slab.real(Int(rowIndex), slot)
    }

    @inline(never) private func realValueSlowly(_ slot: Int) -> Double? {
        willRead(slot)
        if let working, working.isHeld(slot) {
            switch working.value(slot) {
            case .real(let value): return value
            case .integer(let value): return Double(value)
            default: return nil
            }
        }
        guard slot < layout.storedCount else {
            switch transientDefault(slot) {
            case .real(let value): return value
            case .integer(let value): return Double(value)
            default: return nil
            }
        }
        guard let slab else { return nil }
        switch slab.tag(Int(rowIndex), slot) {
        case RowTag.real: return slab.real(Int(rowIndex), slot)
        case RowTag.integer: return Double(slab.integer(Int(rowIndex), slot))
        default: return nil
        }
    }

    /// Returns the text in a slot; nil for null and for a value of another type.
    @usableFromInline func textValue(_ slot: Int) -> String? {
        willRead(slot)
        if let working, working.isHeld(slot) {
            guard case .reference(let value) = working.value(slot) else { return nil }
            return value as? String
        }
        guard slot < layout.storedCount else {
            guard case .reference(let value)? = transientDefault(slot) else { return nil }
            return value as? String
        }
        guard let slab, slab.tag(Int(rowIndex), slot) == RowTag.text else { return nil }
        return String(decoding: slab.bytes(Int(rowIndex), slot), as: UTF8.self)
    }

    @usableFromInline func setIntegerValue(_ value: Int64?, _ slot: Int) {
        guard let value, layout.traits[slot].takes(value) else {
            return setAttributeValue(value.map(NSNumber.init(value:)), slot)
        }
        fireFaultIfNeeded()
        willChange(.value(slot))
        hold(UInt64(bitPattern: value), state: WorkingValues.State.changed, slot: slot)
        didChange(.value(slot))
    }

    @usableFromInline func setRealValue(_ value: Double?, _ slot: Int) {
        guard let value, layout.traits[slot].contains(.real) else {
            return setAttributeValue(value.map(NSNumber.init(value:)), slot)
        }
        fireFaultIfNeeded()
        willChange(.value(slot))
        hold(value.bitPattern, state: WorkingValues.State.changed | WorkingValues.State.real, slot: slot)
        didChange(.value(slot))
    }

    @usableFromInline func setTextValue(_ value: String?, _ slot: Int) {
        guard let value, layout.traits[slot].contains(.text) else { return setAttributeValue(value, slot) }
        fireFaultIfNeeded()
        willChange(.value(slot))
        workingValues().setReference(value, place: WorkingValues.State.changed, slot: slot)
        didChange(.value(slot))
    }

    /// Sets a slot of the working values to a number.
    @inline(__always) private func hold(_ bits: UInt64, state: UInt8, slot: Int) {
        if working == nil { working = WorkingValues(layout: layout) }
        let cells = working.unsafelyUnwrapped.cells
        if cells.state(slot) & WorkingValues.State.boxed != 0 { working?.letGo(slot) }
        cells.write(bits, state: state, slot: slot)
    }
}
