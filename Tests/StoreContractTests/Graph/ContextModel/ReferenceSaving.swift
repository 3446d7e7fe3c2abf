import CoreData

/// What comes of a save.
enum ReferenceOutcome: Equatable {
    case nothing
    case saved(ReferenceNotice)
    /// 133020: the objects in conflict, each with whether its record is gone.
    case refused([Int: Bool])
}

extension ReferenceContext {
    func save() -> ReferenceOutcome {
        guard hasChanges else {
            forgetWithdrawn()
            return .nothing
        }
        let outcome = parent.map(save(into:)) ?? saveToStore()
        if case .saved = outcome { forgetWithdrawn() }
        return outcome
    }

    private func saveToStore() -> ReferenceOutcome {
        let conflicts = conflicts()
        note(conflicts)
        if policy == .errorMergePolicyType, !conflicts.isEmpty {
            return .refused(Dictionary(uniqueKeysWithValues: conflicts.map { ($0, store.rows[$0] == nil) }))
        }
        for number in conflicts { resolve(number) }
        let notice = notice
        for number in changed { write(number) }
        return .saved(notice)
    }

    /// The objects whose rows are not as they were read; what both sides deleted is none.
    private func conflicts() -> [Int] {
        changed.filter { number in
            guard let object = objects[number] else { return false }
            switch object.life {
            case .unchanged: return false
            case .inserted: return store.rows[number] != nil
            case .updated where object.writesNothing: return false
            case .deleted where store.rows[number] == nil:
                events.note(.conflict(policy, .bothDeleted))
                return false
            case .updated, .deleted: return store.rows[number]?.version != object.snapshot.version
            }
        }
    }

    private func note(_ conflicts: [Int]) {
        for number in conflicts {
            let isDeleted = objects[number]?.life == .deleted
            let kind: ContextEvents.Conflict =
                isDeleted ? .deletedOverChanged : store.rows[number] == nil ? .changedOverGone : .bothChanged
            events.note(objects[number]?.life == .inserted ? .broughtBackOverPresent : .conflict(policy, kind))
            if objects[number]?.differing.contains(.owner) == true { events.note(.conflictOfOwned) }
            if objects[number]?.hasTagChanges == true { events.note(.conflictOfTagged) }
            if objects[number]?.isFromChild == true { events.note(.conflictOfChildsChange(kind)) }
        }
    }

    private func resolve(_ number: Int) {
        guard var object = objects[number] else { return }
        let prefersStore =
            policy == .mergeByPropertyStoreTrumpMergePolicyType || policy == .rollbackMergePolicyType
        guard let row = store.rows[number] else {
            if prefersStore {
                objects[number] = nil
                return
            }
            object.setAll(object.values)
            object.life = .inserted
            store.vaguelyTagged.insert(number)
            objects[number] = object
            return
        }
        let base = object.snapshot
        object.snapshot = row
        if object.life == .inserted { object.life = .updated }
        if object.life == .deleted {
            if prefersStore { object.forgetChanges() }
        } else {
            let differing = NodeKey.allCases.filter { base.values[$0] != row.values[$0] }
            switch policy {
            case .mergeByPropertyStoreTrumpMergePolicyType: object.drop(differing)
            case .rollbackMergePolicyType: object.forgetChanges()
            case .overwriteMergePolicyType:
                for key in differing where object.changes[key] == nil { object.set(key, base.values[key]) }
            default: break
            }
            object.drop(object.changes.keys.filter { object.changes[$0] == row.values[$0] })
        }
        objects[number] = object
    }

    private func write(_ number: Int) {
        guard let object = objects[number] else { return }
        if object.life == .deleted {
            (store.rows[number], store.tags[number]) = (nil, nil)
            objects[number] = nil
            return
        }
        let isNew = object.life == .inserted
        if isNew || !object.writesNothing {
            store.tags[number] = isNew ? object.addedTags : tags(number)
            objects[number]?.snapshot = store.write(number, object.values)
        } else {
            events.note(.nothingWritten)
        }
        objects[number]?.forgetChanges()
        objects[number]?.isFromChild = false
    }
}
