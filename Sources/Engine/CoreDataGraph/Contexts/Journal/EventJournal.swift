import CoreDataStore
import Synchronization

/// The changes in a context since its changes were last processed, and, with an undo manager, those of earlier events
/// that can be undone or redone.
///
/// Invariants:
/// 1. A slot marked `journaled`, and an ordered relationship with the number of the current event, has an entry in the
///    current event with its value from before the event.
/// 2. An object with the flag `.newborn` was inserted in the current event; its own changes are not recorded, since
///    reverting its insertion covers them.
/// 3. `steps` has the entries of each step that the undo manager still references, except those of the open step.
final class EventJournal {
    var context: NSManagedObjectContext? { contextReference.object }
    private let contextReference: ZeroingReference<NSManagedObjectContext>
    /// The manager that the context registers its steps with.
    var undoManager: UndoManager?
    private var entries: [JournalEntry] = []
    /// The entries of the event whose notification is being posted.
    private var announced: [JournalEntry] = []
    private var steps: [Int: ArraySlice<JournalEntry>] = [:]
    private weak var openStep: UndoStep?
    /// The index in `entries` of the first entry of the open step.
    private var firstOfStep = 0
    private var lastNumber = 0
    /// The number of entries when `hold()` was called; nil unless changes are held.
    private var firstHeld: Int?
    /// The number of the current event, unique in the process.
    private var event = EventJournal.lastEvent.add(1, ordering: .relaxed).newValue
    private static let lastEvent = Atomic(0)
    private var places: [ObjectIdentifier: [Int]] = [:]
    private var indexedCount = 0
    var replayed = ReplayedObjects()

    init(_ context: ZeroingReference<NSManagedObjectContext>) { contextReference = context }

    // MARK: Recording

    /// Records a change of a property before it happens.
    func note(_ change: PropertyChange, of object: NSManagedObject) {
        guard notes(change, of: object) else { return }
        if undoManager != nil { openStepIfNeeded() }
        switch change {
        case .value(let slot): noteValue(slot, of: object)
        case .addition(let member, let number):
            noteOrder(number, of: object)
            append(.addition(member, number), to: object)
        case .removal(let member, let number):
            // An undo needs the place of the removed member, which is known only if the members are loaded.
            if undoManager != nil, object.layout.toMany[number].isOrdered { _ = object.loadedLinks(number) }
            noteOrder(number, of: object)
            append(.removal(member, number), to: object)
        case .order(let number): noteOrder(number, of: object)
        case .members(let number):
            guard let links = object.toManyLinks(number) else { return }
            append(.replacement(number, links.replacement), to: object)
        }
    }

    /// Whether a change needs an entry.
    private func notes(_ change: PropertyChange, of object: NSManagedObject) -> Bool {
        switch change {
        case .value, .addition, .removal: true
        case .order(let number): object.layout.toMany[number].isOrdered && object.toManyLinks(number)?.isLoaded == true
        case .members(let number): object.toManyLinks(number)?.isLoaded == false
        }
    }

    /// Records that an object is inserted, or inserted again.
    func noteInsertion(_ object: NSManagedObject) {
        object.flags.insert(.newborn)
        noteLife(.insertion, of: object)
    }

    /// Records that an object is about to be marked as deleted.
    func noteDeletion(_ object: NSManagedObject) {
        guard undoManager != nil else { return }
        openStepIfNeeded()
        guard openStep != nil || firstHeld != nil else { return }
        let deletedSnapshot = DeletedObjectSnapshot(object)
        object.workingValues().deletedSnapshot = deletedSnapshot
        append(.deletion(deletedSnapshot), to: object)
    }

    /// Records an insertion, a withdrawal or the end of a deletion, if there is an undo manager.
    func noteLife(_ change: JournalEntry.Change, of object: NSManagedObject) {
        guard undoManager != nil else { return }
        openStepIfNeeded()
        append(change, to: object)
    }

    private func append(_ change: JournalEntry.Change, to object: NSManagedObject) {
        entries.append(JournalEntry(object: object, change: change))
    }

    private func noteValue(_ slot: Int, of object: NSManagedObject) {
        let working = object.workingValues()
        // No row will have the default value of a transient attribute, and computing the value again may give another
        // one.
        let standing = working.isHeld(slot) ? nil : object.transientDefault(slot)
        guard working.markJournaled(slot) else { return }
        append(.value(slot, formerValue(slot, of: object, working: working, standing: standing)), to: object)
    }

    private func formerValue(
        _ slot: Int, of object: NSManagedObject, working: WorkingValues, standing: HeldValue?
    ) -> FormerValue {
        var held = working.isHeld(slot) ? working.value(slot) : standing
        let layout = object.layout
        if held == nil, !object.isFault {
            if layout.traits[slot].contains(.toOne) || undoManager != nil && layout.isLarge(slot) {
                held = object.presentValue(slot)
            }
        }
        return FormerValue(
            held: held, isCommitted: !working.isChanged(slot), slab: object.isFault ? nil : object.slab,
            row: object.rowIndex)
    }

    /// Records the order of the loaded members of an ordered relationship, before the first change in an event.
    private func noteOrder(_ number: Int, of object: NSManagedObject) {
        guard object.layout.toMany[number].isOrdered, let links = object.toManyLinks(number), links.isLoaded,
            links.journaledEvent != event
        else { return }
        links.journaledEvent = event
        append(.order(number, links.objects), to: object)
    }

    // MARK: Steps

    /// Opens a step at the first change of the current event and registers it with the undo manager at once.
    private func openStepIfNeeded() {
        guard let undoManager, openStep == nil, firstHeld == nil, undoManager.isUndoRegistrationEnabled, let context
        else { return }
        forgetMarks()
        firstOfStep = entries.count
        lastNumber += 1
        let step = UndoStep(number: lastNumber, journal: self)
        openStep = step
        undoManager.registerUndo(withTarget: context) { context in
            context.operations.takeBack(step)
        }
    }

    /// Records later changes without registering a step with the undo manager, until `keepHeld()` or `dropHeld()`.
    func hold() { if firstHeld == nil { firstHeld = entries.count } }

    /// Makes what was recorded since `hold()` a part of the current event, and so of its undo step.
    func keepHeld() {
        guard let first = firstHeld else { return }
        firstHeld = nil
        guard first < entries.count, openStep == nil else { return }
        openStepIfNeeded()
        if openStep != nil { firstOfStep = first }
    }

    /// Removes the entries recorded since `hold()`; leaves the marks of the objects.
    func dropHeld() {
        guard let first = firstHeld else { return }
        firstHeld = nil
        entries.removeSubrange(min(first, entries.count)...)
        places = [:]
        indexedCount = 0
    }

    /// Ends the event: its entries become those of the open step, if there is one.
    func endEvent() {
        guard !entries.isEmpty else {
            openStep = nil
            return
        }
        forgetMarks()
        if let openStep, firstOfStep < entries.count { steps[openStep.number] = entries[firstOfStep...] }
        openStep = nil
        firstOfStep = 0
        announced = entries
        entries = []
        places = [:]
        indexedCount = 0
    }

    /// Removes the entries of the event whose notification has been posted; the entries of steps remain.
    func forgetAnnounced() {
        announced = []
        places = [:]
        indexedCount = 0
    }

    /// Removes the entries of a step from the journal and returns them; nil if it does not have any.
    func takeEntries(of step: UndoStep) -> ArraySlice<JournalEntry>? {
        if step === openStep { endEvent() }
        return steps.removeValue(forKey: step.number)
    }

    /// Removes the entries of a step that the undo manager has released.
    func drop(_ number: Int) {
        guard let dropped = steps.removeValue(forKey: number) else { return }
        Self.releaseWithdrawn(dropped)
    }

    /// Removes all entries and steps, also from the undo manager.
    func forgetAll() {
        if let undoManager, let context { undoManager.removeAllActions(withTarget: context) }
        forgetMarks()
        close()
    }

    /// Releases all objects, when the context is released.
    func close() {
        let all = (steps, entries)
        (steps, entries, firstOfStep, openStep) = ([:], [], 0, nil)
        forgetAnnounced()
        replayed = ReplayedObjects()
        for step in all.0.values { Self.releaseWithdrawn(step) }
        Self.releaseWithdrawn(all.1[...])
    }

    /// Breaks retain cycles: objects that were removed from the context may retain each other.
    private static func releaseWithdrawn(_ entries: ArraySlice<JournalEntry>) {
        for entry in entries {
            guard case .withdrawal = entry.change, entry.object.registry == nil else { continue }
            entry.object.working?.forgetObjects()
        }
    }

    private func forgetMarks() {
        event = Self.lastEvent.add(1, ordering: .relaxed).newValue
        for entry in entries[firstOfStep...] {
            switch entry.change {
            case .value(let slot, _): entry.object.working?.forgetJournaled(slot)
            case .insertion: entry.object.flags.remove(.newborn)
            default: continue
            }
        }
    }

    // MARK: The present event

    /// The entries of an object in the current event, or in the event being announced; the last one first.
    func entries(of object: NSManagedObject) -> [JournalEntry] {
        let all = entries.isEmpty ? announced : entries
        for index in indexedCount..<all.count { places[ObjectIdentifier(all[index].object), default: []].append(index) }
        indexedCount = all.count
        return (places[ObjectIdentifier(object)] ?? []).reversed().map { all[$0] }
    }
}
