import CoreDataStore

/// The values of a managed object beside its snapshot: changed values, and values decoded from the snapshot.
///
/// Numbers and dates are stored in place, in eight bytes; strings, data and other values are retained as objects.
///
/// Invariants:
/// 1. `states[slot]` says where the slot's value is: in the snapshot (`unchanged`), here and changed (`changed`), or
///    here as a decoded copy of the snapshot (`cached`).
/// 2. A slot with `boxed` set has its value in `references` at the place that its eight bytes give.
/// 3. A slot with `journaled` set has been recorded by the context's journal in the present event.
final class WorkingValues {
    enum State {
        static let unchanged: UInt8 = 0
        static let changed: UInt8 = 1
        static let cached: UInt8 = 2
        static let place: UInt8 = 3
        static let boxed: UInt8 = 4
        static let null: UInt8 = 8
        static let real: UInt8 = 16
        static let journaled: UInt8 = 32
    }

    /// Eight bytes and a state for each slot, in memory that the working values own, so that reading it needs no
    /// reference counting.
    struct Cells: BitwiseCopyable {
        let slotCount: Int
        let storage: UnsafeMutableRawPointer

        init(slotCount: Int) {
            self.slotCount = slotCount
            storage = .allocate(byteCount: slotCount * 9, alignment: 8)
        }

        @inline(__always) func state(_ slot: Int) -> UInt8 {
            storage.load(fromByteOffset: slotCount * 8 + slot, as: UInt8.self)
        }

        @inline(__always) func bits(_ slot: Int) -> UInt64 { storage.load(fromByteOffset: slot * 8, as: UInt64.self) }

        @inline(__always) func setState(_ state: UInt8, slot: Int) {
            storage.storeBytes(of: state, toByteOffset: slotCount * 8 + slot, as: UInt8.self)
        }

        /// Writes bits and a state to a slot, which must not have a reference.
        @inline(__always) func write(_ bits: UInt64, state newState: UInt8, slot: Int) {
            storage.storeBytes(of: bits, toByteOffset: slot * 8, as: UInt64.self)
            setState(newState | state(slot) & State.journaled, slot: slot)
        }

        func clear() { memset(storage, 0, slotCount * 9) }
    }

    let cells: Cells
    private var slotCount: Int { cells.slotCount }
    // These properties are used only on the context's queue, and no access outlasts its statement.
    @exclusivity(unchecked) private var references: ContiguousArray<Any> = []
    /// The links of to-many relationships that were used, by their number in the layout.
    @exclusivity(unchecked) var toMany: [ToManyLinks?] = []
    /// The key that the save in progress has assigned to an inserted object.
    var grantedKey: Int64 = 0
    /// The store that the program assigned to an inserted object; nil if it assigned none.
    var assignedStore: NSPersistentStore?
    /// The values for undoing the object's deletion after the deletion was saved, if an undo manager may do that.
    weak var deletedSnapshot: DeletedObjectSnapshot?
    /// The results of fetched properties, by name, until the object is refreshed.
    @exclusivity(unchecked) var fetched: [String: [NSManagedObject]] = [:]

    init(layout: EntityLayout) {
        cells = Cells(slotCount: layout.slots.count)
        cells.clear()
    }

    /// Makes a copy that shares the `ToManyLinks` objects.
    init(copying other: WorkingValues) {
        cells = Cells(slotCount: other.slotCount)
        cells.storage.copyMemory(from: other.cells.storage, byteCount: other.slotCount * 9)
        references = other.references
        toMany = other.toMany
        grantedKey = other.grantedKey
        assignedStore = other.assignedStore
        deletedSnapshot = other.deletedSnapshot
        fetched = other.fetched
    }

    deinit { cells.storage.deallocate() }

    @inline(__always) func state(_ slot: Int) -> UInt8 { cells.state(slot) }

    func isChanged(_ slot: Int) -> Bool { state(slot) & State.place == State.changed }

    func isHeld(_ slot: Int) -> Bool { state(slot) & State.place != State.unchanged }

    @inline(__always) func bits(_ slot: Int) -> UInt64 { cells.bits(slot) }

    func setInteger(_ value: Int64, slot: Int) {
        write(UInt64(bitPattern: value), state: State.changed, slot: slot)
    }

    func setReal(_ value: Double, slot: Int) {
        write(value.bitPattern, state: State.changed | State.real, slot: slot)
    }

    func setNull(slot: Int) { write(0, state: State.changed | State.null, slot: slot) }

    /// Sets a slot to any other value; `place` is `changed` or `cached`.
    func setReference(_ value: Any, place: UInt8, slot: Int) {
        if state(slot) & State.boxed != 0 {
            references[Int(bits(slot))] = value
            setState(place | State.boxed | state(slot) & State.journaled, slot: slot)
        } else {
            references.append(value)
            write(UInt64(references.count - 1), state: place | State.boxed, slot: slot)
        }
    }

    /// Returns the value of a slot that `isHeld`.
    func value(_ slot: Int) -> HeldValue {
        let state = state(slot)
        if state & State.null != 0 { return .null }
        if state & State.boxed != 0 { return .reference(references[Int(bits(slot))]) }
        return state & State.real != 0
            ? .real(Double(bitPattern: bits(slot))) : .integer(Int64(bitPattern: bits(slot)))
    }

    /// Drops the working value of a slot, whose value is then that of the snapshot.
    func discard(_ slot: Int) {
        if state(slot) & State.boxed != 0 { references[Int(bits(slot))] = () }
        setState(State.unchanged | state(slot) & (State.boxed | State.journaled), slot: slot)
    }

    /// Marks the working value of a slot as committed: it no longer counts as changed.
    func markCommitted(_ slot: Int) { setState(state(slot) & ~State.place | State.cached, slot: slot) }

    /// Marks a slot as recorded by the journal in the present event; returns false if it is marked already.
    func markJournaled(_ slot: Int) -> Bool {
        let state = state(slot)
        guard state & State.journaled == 0 else { return false }
        setState(state | State.journaled, slot: slot)
        return true
    }

    func forgetJournaled(_ slot: Int) { setState(state(slot) & ~State.journaled, slot: slot) }

    /// Drops all values and assignments.
    func reset() {
        cells.clear()
        references.removeAll(keepingCapacity: true)
        if !toMany.isEmpty { toMany = [] }
        if !fetched.isEmpty { fetched = [:] }
        (grantedKey, assignedStore, deletedSnapshot) = (0, nil, nil)
    }

    /// Whether a slot was set, or a to-many relationship changed, since the last fetch or save.
    var hasAnyChange: Bool { hasChanges || toMany.contains { $0?.hasChanges == true } }

    /// Whether a slot was set since the last fetch or save, even to an equal value.
    var hasChanges: Bool { (0..<slotCount).contains(where: isChanged) }

    /// Whether the only working values are numbers of stored attributes, which a save writes to the new snapshot.
    func isOnlyNumbers(storedCount: Int) -> Bool {
        references.isEmpty && toMany.isEmpty && fetched.isEmpty && slotCount == storedCount
    }

    /// Whether there are no working values.
    var isEmpty: Bool {
        !(0..<slotCount).contains(where: isHeld) && toMany.allSatisfy { $0 == nil } && fetched.isEmpty
    }

    /// After a save, drops the changed values, which the new snapshot contains. Related objects, values decoded from
    /// the snapshot, and transient attributes remain as committed values.
    func markSaved(storedCount: Int) {
        for slot in 0..<slotCount where isChanged(slot) {
            let isKept: Bool
            if slot >= storedCount {
                isKept = true
            } else if case .reference(let value) = self.value(slot) {
                isKept = value is NSManagedObject
            } else {
                isKept = false
            }
            if isKept {
                setState(state(slot) & ~State.place | State.cached, slot: slot)
            } else {
                discard(slot)
            }
        }
        for links in toMany { links?.markSaved() }
        assignedStore = nil
    }

    /// Drops values decoded from the snapshot and members read from the store; changes and transient attributes remain.
    func forgetCached(storedCount: Int) {
        for slot in 0..<storedCount where isHeld(slot) && !isChanged(slot) { discard(slot) }
        for (number, links) in toMany.enumerated() {
            if links?.hasChanges == true { links?.forgetMembers() } else { toMany[number] = nil }
        }
        fetched = [:]
    }

    /// The targets of to-one relationships among the working values.
    var objects: [NSManagedObject] {
        (0..<slotCount).compactMap { slot in
            guard isHeld(slot), case .reference(let target as NSManagedObject) = value(slot) else { return nil }
            return target
        }
    }

    /// Releases all related objects, which may retain this object in turn.
    func forgetObjects() {
        toMany = []
        fetched = [:]
        for slot in 0..<slotCount where isHeld(slot) {
            if case .reference(is NSManagedObject) = value(slot) { discard(slot) }
        }
    }

    private func write(_ bits: UInt64, state newState: UInt8, slot: Int) {
        letGo(slot)
        cells.write(bits, state: newState, slot: slot)
    }

    /// Releases the reference in a slot, before the slot is overwritten.
    func letGo(_ slot: Int) {
        if state(slot) & State.boxed != 0 { references[Int(bits(slot))] = () }
    }

    private func setState(_ state: UInt8, slot: Int) { cells.setState(state, slot: slot) }
}
