import CoreDataStore

/// Reverting single changes. Each reversal is reported like any other change, and so recorded and revertible.
extension NSManagedObjectContext {
    /// Reverts the changes of a step, the last first; the reversals are recorded as another step (undo or redo).
    func takeBack(_ step: UndoStep) {
        guard let entries = registry.journal.takeEntries(of: step) else { return }
        // Objects whose deletion was saved are inserted first, since relationships may refer to them.
        for entry in entries.reversed() { reinsert(entry) }
        for entry in entries.reversed() { revert(entry) }
        for object in registry.journal.replayed.takeReturned() where object.registry != nil {
            object.releaseStrangers(loading: false)
        }
    }

    /// Reverts a change; skips it if its object is no longer in the context.
    private func revert(_ entry: JournalEntry) {
        let object = entry.object
        switch entry.change {
        case .insertion: return takeBackInsertion(of: object)
        case .withdrawal: return bringBack(object)
        case .deletion: return takeBackDeletion(of: object)
        case .undeletion:
            guard isHere(object), !object.isDeleted else { return }
            return markDeleted(object)
        default: break
        }
        guard isHere(object) else { return }
        object.fireFaultIfNeeded()
        guard object.flags.isDisjoint(with: [.inaccessible]) else { return }
        replay(.undoUpdate, object)
        object.revert(entry.change)
    }

    private func isHere(_ object: NSManagedObject) -> Bool { object.registry === registry }

    private func replay(_ event: NSSnapshotEventType, _ object: NSManagedObject) {
        registry.journal.replayed.note(object, event)
    }

    /// Reverts an insertion: the object leaves the context with its values, or, if it was saved meanwhile, is deleted.
    private func takeBackInsertion(of object: NSManagedObject) {
        guard isHere(object), !object.flags.contains(.inaccessible) else { return }
        replay(.undoInsertion, object)
        guard object.flags.contains(.inserted) else {
            object.fireFaultIfNeeded()
            guard !object.isDeleted else { return }
            object.releaseStrangers(loading: true)
            return markDeleted(object)
        }
        object.detachFromTargets()
        registry.journal.noteLife(.withdrawal, of: object)
        object.withdraw()
    }

    private func bringBack(_ object: NSManagedObject) {
        guard object.registry == nil, object.flags.contains(.withdrawn) else { return }
        object.reenter(self)
        replay(.undoDeletion, object)
    }

    private func takeBackDeletion(of object: NSManagedObject) {
        guard isHere(object), object.flags.contains(.deleted) else { return }
        object.flags.remove([.deleted, .deletionPropagated])
        registry.journal.noteLife(.undeletion, of: object)
        objectChanged(object)
        replay(.undoDeletion, object)
    }

    /// If the entry is a deletion that was saved, inserts its object again; ignores other changes.
    private func reinsert(_ entry: JournalEntry) {
        let object = entry.object
        guard case .deletion(let deletedSnapshot) = entry.change, object.registry == nil, deletedSnapshot.isComplete,
            !object.flags.contains(.invalidated)
        else { return }
        object.becomeNew(in: registry.scope(of: temporaryBinding(object.layout)).outside)
        object.working = nil
        object.reenter(self)
        deletedSnapshot.restore()
        replay(.undoDeletion, object)
    }

    /// Marks an object as deleted without calling `prepareForDeletion`: the changes that this method made are reverted
    /// or redone separately.
    private func markDeleted(_ object: NSManagedObject) {
        registry.journal.noteDeletion(object)
        object.flags.insert(.deleted)
        object.flags.remove(.deletionPropagated)
        objectChanged(object)
        replay(.undoInsertion, object)
    }
}

extension NSManagedObject {
    /// Reverts a change of a property, without changing the inverse.
    fileprivate func revert(_ change: JournalEntry.Change) {
        switch change {
        case .value(let slot, let former): restore(former, slot)
        case .addition(let member, let number):
            // The members are needed to know whether the store has the member already.
            if toManyLinks(number) == nil { _ = relatedObjects(number) }
            _ = removeMember(member, number)
        case .removal(let member, let number):
            guard member.registry === registry else { return }
            // The member's position in an ordered relationship is defined only if the other members are known.
            if layout.toMany[number].isOrdered { _ = relatedObjects(number) }
            _ = insertMember(member, number)
        case .order(let number, let members): restore(members, number)
        case .replacement(let number, let former): restore(former, number)
        default: break
        }
    }

    private func restore(_ former: FormerValue, _ slot: Int) {
        willChange(.value(slot))
        if former.isCommitted(in: self) {
            workingValues().discard(slot)
            if slot >= layout.storedCount, let held = former.held {
                store(held, slot)
                workingValues().markCommitted(slot)
            }
        } else if case .reference(let target as NSManagedObject)? = former.held, target.registry !== registry {
            workingValues().setNull(slot: slot)
        } else {
            let value = value(of: former, slot)
            store(value, slot)
            if isCommitted(value, slot) { workingValues().discard(slot) }
        }
        didChange(.value(slot))
    }

    private func value(of former: FormerValue, _ slot: Int) -> HeldValue {
        if let held = former.held { return held }
        guard slot < layout.storedCount, let slab = former.slab,
            case .attribute(let attribute, let kind) = layout.slots[slot].content
        else { return .null }
        return storedValue(slab, row: Int(former.row), slot: slot, attribute: attribute, kind: kind)
    }

    private func restore(_ members: [NSManagedObject], _ number: Int) {
        let present = ObjectList(relatedObjects(number))
        guard let links = toManyLinks(number), links.isLoaded else { return }
        let wanted = ObjectList(members.filter(present.contains) + present.objects)
        setOrder(wanted.objects, links: links, number: number)
    }

    private func restore(_ former: ObjectList<NSManagedObject>?, _ number: Int) {
        guard let links = toManyLinks(number), !links.isLoaded else { return }
        willChange(.members(number))
        links.replacement = former
        didChange(.members(number))
    }
}
