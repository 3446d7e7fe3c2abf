import CoreDataStore

/// Notifying observers of changes of properties. For an object without observers only the flag `.observed` is read.
extension NSManagedObject {
    /// Reports a change that is about to happen.
    func notifyWillChange(of change: PropertyChange) {
        guard let observers = ObserverTable.entry(of: self) else { return }
        let place = place(of: change)
        if observers.keys != nil, let mutation = mutation(change) {
            observers.begin(key(of: place), by: mutation)
        }
        observers.willMutate(place.number(in: layout), of: self)
    }

    /// Reports a change that has happened.
    func notifyDidChange(of change: PropertyChange) {
        guard let observers = ObserverTable.entry(of: self) else { return }
        let place = place(of: change)
        observers.didMutate(place.number(in: layout), of: self)
        if observers.keys != nil { observers.finish(key(of: place)) }
    }

    /// Notifies the observers of a key of a change that is about to happen.
    func notifyWillChange(of key: String, by mutation: KeyMutation) {
        ObserverTable.entry(of: self)?.begin(key, by: mutation)
    }

    /// Notifies the observers of a key of a change that has happened.
    func notifyDidChange(of key: String) { ObserverTable.entry(of: self)?.finish(key) }

    /// Announces to observers that all members of a to-many relationship are about to be replaced, as one change;
    /// returns false if there are no observers or nothing changes.
    func willReplaceMembers(_ number: Int, by targets: [NSManagedObject]) -> Bool {
        guard let observers = ObserverTable.entry(of: self), observers.keys != nil else { return false }
        let present = relatedObjects(number)
        let relationship = layout.toMany[number]
        if relationship.isOrdered {
            guard !present.elementsEqual(targets, by: ===) else { return false }
            observers.begin(relationship.name, by: .setting)
        } else {
            guard Set(present) != Set(targets) else { return false }
            observers.begin(relationship.name, by: .set(.set, Set(targets)))
        }
        return true
    }

    /// Reports to observers that the members of a to-many relationship have been replaced.
    func didReplaceMembers(_ number: Int) { notifyDidChange(of: layout.toMany[number].name) }

    /// Ends the asynchronous sequences of changes of an object that leaves its context, and reports a change of every
    /// tracked property, since its values become unavailable.
    func endObservation() {
        guard let observers = ObserverTable.entry(of: self) else { return }
        observers.keys?.endSequences()
        observers.mutateAll(of: self)
    }

    func forgetObservers() { ObserverTable.forget(self) }
    // MARK: Form

    private func place(of change: PropertyChange) -> ObservedPlace {
        switch change {
        case .value(let slot): .slot(slot)
        case .addition(_, let number), .removal(_, let number), .order(let number), .members(let number):
            .toMany(number)
        }
    }

    private func key(of place: ObservedPlace) -> String {
        switch place {
        case .slot(let slot): layout.slots[slot].name
        case .toMany(let number): layout.toMany[number].name
        }
    }

    /// Returns the change in the form that observers receive; nil if it changes nothing.
    private func mutation(_ change: PropertyChange) -> KeyMutation? {
        switch change {
        case .value, .members: return .setting
        case .order(let number): return .indexed(.replacement, IndexSet(0..<relatedObjects(number).count))
        case .addition(let object, let number):
            let relationship = layout.toMany[number]
            guard relationship.isOrdered || relationship.inverseRelationship?.isToMany != false else {
                return .exactly(.insertion, [object] as Set<AnyHashable>, nil)
            }
            // Only the list of members shows whether the object is not a member yet, and at which index it is added.
            let members = relatedObjects(number)
            guard !members.contains(where: { $0 === object }) else { return nil }
            return relationship.isOrdered
                ? .exactly(.insertion, [object], [members.count])
                : .exactly(.insertion, [object] as Set<AnyHashable>, nil)
        case .removal(let object, let number):
            guard layout.toMany[number].isOrdered else {
                return .exactly(.removal, [object] as Set<AnyHashable>, nil)
            }
            guard let index = relatedObjects(number).firstIndex(where: { $0 === object }) else { return nil }
            return .exactly(.removal, [object], [index])
        }
    }
}
