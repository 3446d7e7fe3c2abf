import CoreDataStore

/// A change of one property, passed to `willChange` before and `didChange` after it.
enum PropertyChange {
    /// The attribute or to-one relationship in a slot gets another value.
    case value(Int)
    /// An object becomes a member of a to-many relationship.
    case addition(NSManagedObject, Int)
    /// A member leaves a to-many relationship.
    case removal(NSManagedObject, Int)
    /// Members of an ordered to-many relationship change places.
    case order(Int)
    /// The members of a to-many relationship change, and which ones is known only afterwards.
    case members(Int)
}

/// All changes of properties are reported here: code that stores a value which counts as a change calls `willChange`
/// before and `didChange` after it, with equal changes.
extension NSManagedObject {
    /// Reports a change that is about to happen, through `willChangeValue(forKey:)` if the class overrides it or
    /// `didChangeValue(forKey:)`.
    @inline(__always) func willChange(_ change: PropertyChange) {
        if layout.announcesChanges, case .value(let slot) = change {
            return willChangeValue(forKey: layout.slots[slot].name)
        }
        noteWillChange(change)
    }

    /// Reports a change that has happened, through `didChangeValue(forKey:)` if the class overrides it or
    /// `willChangeValue(forKey:)`.
    @inline(__always) func didChange(_ change: PropertyChange) {
        if layout.announcesChanges, case .value(let slot) = change {
            return didChangeValue(forKey: layout.slots[slot].name)
        }
        noteDidChange(change)
    }

    /// Records a change for undo and the next notification, and notifies observers, before the change is made.
    func noteWillChange(_ change: PropertyChange) {
        if flags.contains(.guarded) { checkQueue("a change of \(name(of: change))") }
        if flags.isDisjoint(with: .unrecorded) { registry?.journal.note(change, of: self) }
        noteChange()
        if flags.contains(.observed) { operations.notifyWillChange(of: change) }
    }

    /// Notifies observers after a change.
    func noteDidChange(_ change: PropertyChange) {
        if flags.contains(.observed) { operations.notifyDidChange(of: change) }
    }

    /// Records, for undo and the next notification, that a slot is about to be changed; the caller notifies observers.
    func recordChange(_ slot: Int) {
        if flags.isDisjoint(with: .unrecorded) { registry?.journal.note(.value(slot), of: self) }
        noteChange()
    }

    private func name(of change: PropertyChange) -> String {
        switch change {
        case .value(let slot): "'\(layout.slots[slot].name)'"
        case .addition(_, let number), .removal(_, let number), .order(let number), .members(let number):
            "'\(layout.toMany[number].name)'"
        }
    }

    /// Returns the change that an accessor announces by a property's key; nil for a key that is not a property.
    func change(ofKey key: String) -> PropertyChange? {
        switch layout.places[key] {
        case .attribute(let slot), .toOne(let slot): .value(slot)
        case .toMany(let number): .members(number)
        case .fetched, nil: nil
        }
    }

    /// Marks the object as changed and adds it to its context's changed objects, unless its record is gone or it is
    /// awaking.
    func noteChange() {
        guard flags.isDisjoint(with: [.awaking, .inaccessible]) else { return }
        if flags.isDisjoint(with: .changed) { flags.insert(.updated) }
        guard flags.isSuperset(of: .noticed) == false else { return }
        registry?.context?.objectChanged(self)
    }
}
