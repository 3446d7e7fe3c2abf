import CoreData

/// What single operations do to one record.
extension ContextRun {
    func change(_ operation: ContextOperation, _ number: Int, in one: Int) throws {
        let reference = references[one]
        guard let object = try read(number, in: one), let twin = reference.objects[number] else { return }
        switch operation.kind {
        case .tag: if isRelational { try changeTag(operation.numbers[2], number, in: one) }
        case .refresh: try refresh(object, number, in: one)
        case .delete, .refault: if twin.life != .deleted { try end(operation.kind, object, number, in: one) }
        default: if twin.life != .deleted { setValue(operation, object, number, reference) }
        }
    }

    private func refresh(_ object: NSManagedObject, _ number: Int, in one: Int) throws {
        // Members that the program looks at are read again at once, which parents have to read.
        if isRelational, let parent = arrangement.parents[one] { try renew(number, parent) }
        refreshKnown(object, number, in: one)
    }

    /// Refreshes, unless only another coordinator knows that the record is gone: this one may have a later row than read.
    private func refreshKnown(_ object: NSManagedObject, _ number: Int, in one: Int) {
        guard arrangement != .coordinators || store.rows[number] != nil else { return }
        contexts[one].refresh(object, mergeChanges: true)
        references[one].refresh(number)
    }

    /// Deletes an object, or makes it a fault.
    private func end(_ kind: ContextOperation.Kind, _ object: NSManagedObject, _ number: Int, in one: Int) throws {
        let reference = references[one]
        if kind == .delete {
            guard number > Self.anchorCount else { return }
            // The delete rules ask for members, which parents have to read.
            if let parent = arrangement.parents[one] { try renew(number, parent) }
            contexts[one].delete(object)
            reference.delete(number)
        } else if let twin = reference.objects[number], twin.life != .inserted, !twin.hasTagChanges {
            contexts[one].refresh(object, mergeChanges: false)
            reference.objects[number] = nil
        }
    }

    private func setValue(
        _ operation: ContextOperation, _ object: NSManagedObject, _ number: Int, _ reference: ReferenceContext
    ) {
        let value = operation.numbers[2]
        switch operation.kind {
        case .text: set(.text, value % 4 == 0 ? nil : value % 5, object, number, reference)
        case .count: set(.count, value % 4 == 0 ? nil : value % 5, object, number, reference)
        case .blob:
            lastValue += 1
            set(.blob, lastValue, object, number, reference)
        case .same:
            let key = NodeKey.attributes[value % 2]
            set(key, reference.objects[number]?.values[key], object, number, reference)
        case .link, .owner:
            let key = isRelational && operation.kind == .owner ? NodeKey.owner : .link
            let target = value % (Self.anchorCount + 1)
            object.setValue(target == 0 ? nil : anchor(target, contextNumber(operation)), forKey: key.rawValue)
            reference.objects[number]?.set(key, target == 0 ? nil : target)
        default: break
        }
    }

    private func set(
        _ key: NodeKey, _ value: Int?, _ object: NSManagedObject, _ number: Int, _ reference: ReferenceContext
    ) {
        object.setValue(NodeModel.value(key, value), forKey: key.rawValue)
        reference.objects[number]?.set(key, value)
    }

    /// Adds or removes one of the records that another is tagged with, all of which are read anew before.
    private func changeTag(_ value: Int, _ number: Int, in one: Int) throws {
        try renew(number, one)
        let reference = references[one]
        let tag = value % Self.anchorCount + 1
        guard reference.objects[number] != nil, let object = known[one][number], let target = anchor(tag, one),
            reference.isSound(number),
            !store.vaguelyTagged.contains(number)
        else { return }
        let tags = reference.tags(number)
        let found = Set(
            (object.value(forKey: "tags") as? Set<NSManagedObject> ?? []).map { anchors[$0.objectID] ?? -1 })
        guard found == tags else { throw Difference("context \(one) has \(number) tagged with \(found), not \(tags)") }
        let members = object.mutableSetValue(forKey: "tags")
        if tags.contains(tag) { members.remove(target) } else { members.add(target) }
        reference.setTag(tag, of: number, !tags.contains(tag))
    }

    /// Has a context and its parents read a record anew, the topmost first.
    func renew(_ number: Int, _ one: Int) throws {
        if let parent = arrangement.parents[one] { try renew(number, parent) }
        try contexts[one].performAndWait {
            let object = try read(number, in: one)
            guard isRelational, let object, references[one].objects[number]?.life != .deleted else { return }
            refreshKnown(object, number, in: one)
        }
    }

    private func anchor(_ number: Int, _ one: Int) -> NSManagedObject? {
        guard let place = anchorPlaces[number],
            let identifier = contexts[one].persistentStoreCoordinator?.managedObjectID(forURIRepresentation: place)
        else { return nil }
        return contexts[one].object(with: identifier)
    }
}
