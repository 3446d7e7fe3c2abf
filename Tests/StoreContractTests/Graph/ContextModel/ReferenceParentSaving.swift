import CoreData

/// Saves into a parent.
extension ReferenceContext {
    func save(into parent: ReferenceContext) -> ReferenceOutcome {
        let gone = changed.filter { objects[$0]?.life != .inserted && !parent.isThere($0) }
        let conflicts = gone.filter { objects[$0]?.life != .deleted }
        if gone.count > conflicts.count { events.note(.childDeletesGone) }
        if !conflicts.isEmpty { events.note(.childOverGone(policy)) }
        switch policy {
        case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: break
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
            for number in conflicts { objects[number] = nil }
        default:
            if !conflicts.isEmpty { return .refused(Dictionary(uniqueKeysWithValues: conflicts.map { ($0, true) })) }
        }
        let notice = notice
        for number in changed { carry(number, into: parent, isGone: gone.contains(number)) }
        return .saved(notice)
    }

    /// Whether an object can be saved into this context by a child. A save that is refused leaves no values of it here.
    private func isThere(_ number: Int) -> Bool {
        guard let object = objects[number] else { return !withdrawn.contains(number) && origin(number) != nil }
        return object.life != .deleted
    }

    private func carry(_ number: Int, into parent: ReferenceContext, isGone: Bool) {
        guard let object = objects[number] else { return }
        let isHeld = parent.objects[number] != nil
        if object.life != .inserted, !isGone { parent.fill(number) }
        // Nobody holds what a save has looked at and not changed.
        defer { if !isHeld, parent.objects[number]?.hasChanges == false { parent.objects[number] = nil } }
        if object.life == .deleted {
            if !isGone { parent.delete(number) }
            objects[number] = nil
            return
        }
        if object.life == .inserted { parent.receive(number, inserted: object.values) }
        if isGone { parent.bringBack(number, object.values) }
        for (key, value) in object.changes { parent.receive(number, key, value) }
        if object.hasTagChanges { events.note(.childsTags) }
        parent.receiveTags(of: number, removed: object.removedTags, added: object.addedTags)
        objects[number]?.snapshot.values = object.values
        objects[number]?.forgetChanges()
        objects[number]?.isFromChild = false
    }

    private func receive(_ number: Int, _ key: NodeKey, _ value: Int?) {
        guard let object = objects[number] else { return }
        if let own = object.changes[key], own != value { events.note(.childOverParentsChange) }
        objects[number]?.set(key, value)
        objects[number]?.isFromChild = true
    }

    /// An object that this context deleted and a descendant brought back was never deleted.
    private func receive(_ number: Int, inserted values: NodeValues) {
        guard objects[number]?.life == .deleted else { return insert(number) }
        events.note(.broughtBackOverDeleted)
        bringBack(number, values)
    }

    /// What is added and removed stays so, whatever there is.
    private func receiveTags(of number: Int, removed: Set<Int>, added: Set<Int>) {
        for tag in removed { objects[number]?.overrule(tag, false) }
        for tag in added { objects[number]?.overrule(tag, true) }
    }

    private func bringBack(_ number: Int, _ values: NodeValues) {
        if objects[number]?.life == .deleted {
            objects[number]?.life = .updated
        } else {
            insert(number)
        }
        objects[number]?.setAll(values)
        store.vaguelyTagged.insert(number)
    }
}
