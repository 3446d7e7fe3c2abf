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
        guard hasChanges else { return .nothing }
        return parent.map(save(into:)) ?? saveToStore()
    }

    // MARK: To the store

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
            if objects[number]?.isFromChild == true { events.note(.conflictOfChildsChange(kind)) }
        }
    }

    private func resolve(_ number: Int) {
        guard var object = objects[number] else { return }
        let prefersStore =
            policy == .mergeByPropertyStoreTrumpMergePolicyType || policy == .rollbackMergePolicyType
        guard let row = store.rows[number] else {
            if prefersStore { return objects[number] = nil }
            object.setAll(object.values)
            object.life = .inserted
            store.vaguelyTagged.insert(number)
            return objects[number] = object
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

    // MARK: To the parent

    private func save(into parent: ReferenceContext) -> ReferenceOutcome {
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

    /// Whether an object can be saved into this context by a child; it has values here then.
    private func isThere(_ number: Int) -> Bool { fill(number) && objects[number]?.life != .deleted }

    private func carry(_ number: Int, into parent: ReferenceContext, isGone: Bool) {
        guard let object = objects[number] else { return }
        if object.life == .deleted {
            if !isGone { parent.delete(number) }
            return objects[number] = nil
        }
        if object.life == .inserted { parent.receive(number, inserted: object.values) }
        if isGone { parent.bringBack(number, object.values) }
        for (key, value) in object.changes { parent.receive(number, key, value) }
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

    /// Without a reason to ask which tags there are, what is added is added though it may be there.
    private func receiveTags(of number: Int, removed: Set<Int>, added: Set<Int>) {
        let isBlind = removed.isEmpty && objects[number]?.life != .inserted
        for tag in removed { setTag(tag, of: number, false) }
        for tag in added {
            guard isBlind else {
                setTag(tag, of: number, true)
                continue
            }
            guard let object = objects[number], !object.addedTags.contains(tag) else { continue }
            objects[number]?.tag(tag, stored: object.removedTags.contains(tag) ? [tag] : [])
        }
    }

    private func bringBack(_ number: Int, _ values: NodeValues) {
        if objects[number]?.life == .deleted {
            objects[number]?.life = .updated
        } else {
            objects[number] = ReferenceObject(life: .inserted)
        }
        objects[number]?.setAll(values)
        store.vaguelyTagged.insert(number)
    }
}
