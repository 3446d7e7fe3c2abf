import CoreDataStore

/// Writes the changes of a context to its parent. Used on the parent's queue, while the child's queue waits.
///
/// First objects are inserted, then values and members are set, then orders, and last objects are deleted, so that
/// every object that is referred to exists. Relationships are set as a program would set them, which updates the
/// parent's inverses.
struct ParentWriting {
    let context: NSManagedObjectContext
    let parent: NSManagedObjectContext
    private(set) var changed: [NSManagedObject]

    /// The outcome.
    struct Outcome {
        /// The objects whose changes the parent now has.
        var saved: [NSManagedObject] = []
        /// The objects that the parent no longer has, and whose changes the merge policy drops.
        var lost: [NSManagedObject] = []
    }

    /// One object in both contexts.
    private struct Pair {
        let child: NSManagedObject
        let own: NSManagedObject
        /// Whether all values are written, or only the changed ones.
        let isWhole: Bool
    }

    /// - Throws: `NSManagedObjectMergeError` for objects that the parent has deleted, unless the merge policy resolves
    ///   that; the store's error if reading fails. The parent is then unchanged.
    mutating func run() throws -> Outcome {
        let gone = try changed.filter { try !$0.isInserted && !isThere($0) }
        let conflicts = gone.filter { !$0.isDeleted }
        let comesBack = try bringsBack(conflicts)
        let lost = comesBack ? [] : conflicts
        if !lost.isEmpty { giveUp(lost) }
        let missing = Set(gone.map { ObjectIdentifier($0) })

        parent.endEvent()
        write(changed.lazy.filter { !$0.isDeleted }.compactMap { pair($0, missing) })
        for child in changed where child.isDeleted && !missing.contains(ObjectIdentifier(child)) {
            if let own = parent.counterpart(of: child), !own.isDeleted { parent.delete(own) }
        }
        parent.endEvent()
        return Outcome(saved: changed, lost: lost)
    }

    /// Whether the `mergeType` of the merge policy inserts changed objects again that the parent no longer has.
    ///
    /// The policy's methods are not called.
    /// - Throws: `NSManagedObjectMergeError` if the type is `errorMergePolicyType`, or the policy is not an `NSMergePolicy`.
    private func bringsBack(_ conflicts: [NSManagedObject]) throws -> Bool {
        guard !conflicts.isEmpty else { return false }
        switch (context.mergePolicy as? NSMergePolicy)?.mergeType {
        case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: return true
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: return false
        case .errorMergePolicyType, nil: throw CoreDataError.goneFromParent(conflicts)
        }
    }

    /// Removes objects from the child and drops their changes.
    private mutating func giveUp(_ lost: [NSManagedObject]) {
        for object in lost { object.leaveMerged() }
        context.dropLeft()
        changed = context.pending.changed
    }

    /// Whether the parent, or the stores or parent that it reads from, has an object.
    private func isThere(_ child: NSManagedObject) throws -> Bool {
        guard let own = parent.counterpart(of: child), !own.isDeleted, own.registry != nil else { return false }
        guard own.isFault else { return !own.flags.contains(.inaccessible) }
        guard try FaultResolver.fill(own) else { return false }
        FaultResolver.awake(own)
        return true
    }

    private func pair(_ child: NSManagedObject, _ missing: Set<ObjectIdentifier>) -> Pair? {
        if child.isInserted || missing.contains(ObjectIdentifier(child)) { return arrival(child) }
        return parent.counterpart(of: child).map { Pair(child: child, own: $0, isWhole: false) }
    }

    /// Makes the pair of an object that is new to the parent, or was deleted there, and is inserted or undeleted there.
    private func arrival(_ child: NSManagedObject) -> Pair {
        let address = parent.localAddress(RowAddress(binding: child.binding, key: child.key))
        let known = parent.registry.object(table: address.binding.table, key: address.key)
        if let known, known.flags.contains(.mergedDeletion) {
            known.leaveMerged()
            known.becomeDeleted()
        } else if let own = known, own.flags.contains(.deleted) {
            let members = own.membersFoundByDeletion()
            parent.undelete(own)
            own.giveBack(members)
            return Pair(child: child, own: own, isWhole: true)
        }
        return Pair(child: child, own: parent.insertCounterpart(of: child), isWhole: !child.isInserted)
    }

    // MARK: Values

    private func write(_ pairs: [Pair]) {
        for pair in pairs {
            pair.child.fireFaultIfNeeded()
            for slot in pair.child.layout.slots.indices where pair.isWhole || isChanged(pair.child, slot) {
                write(slot, of: pair)
            }
            pair.child.assignedStore.map { pair.own.workingValues().assignedStore = $0 }
        }
        for pair in pairs { writeMembers(of: pair) }
        for pair in pairs { writeOrders(of: pair) }
    }

    private func isChanged(_ object: NSManagedObject, _ slot: Int) -> Bool { object.working?.isChanged(slot) == true }

    private func write(_ slot: Int, of pair: Pair) {
        switch pair.child.layout.slots[slot].content {
        case .targetNumber: return
        case .toOne:
            let target = pair.child.relatedObject(slot).flatMap { $0.isDeleted ? nil : parent.counterpart(of: $0) }
            pair.own.relate(slot, to: target.flatMap { $0.isDeleted ? nil : $0 })
        case .attribute:
            pair.own.fireFaultIfNeeded()
            pair.own.willChange(.value(slot))
            pair.own.store(pair.child.presentValue(slot), slot)
            pair.own.didChange(.value(slot))
        }
    }

    /// Writes the members of to-many relationships. Those with a to-one inverse are written by the inverse.
    private func writeMembers(of pair: Pair) {
        for (number, relationship) in pair.child.layout.toMany.enumerated() {
            guard let links = pair.child.toManyLinks(number), links.hasChanges,
                relationship.inverseRelationship.map(\.isToMany) ?? true
            else { continue }
            for member in links.removed.objects {
                // If both contexts have deleted the member, the parent's own deletion has already changed the
                // relationship, and an undo may revert that.
                guard let own = parent.counterpart(of: member), !(member.isDeleted && own.isDeleted) else { continue }
                pair.own.overruleRelated(own, number, isMember: false)
            }
            for member in links.added.objects where !member.isDeleted {
                guard let own = parent.counterpart(of: member), !own.isDeleted else { continue }
                pair.own.overruleRelated(own, number, isMember: true)
            }
        }
    }

    /// Writes the orders of ordered relationships: the members whose order the child knows follow, in that order, those
    /// that only the parent has.
    private func writeOrders(of pair: Pair) {
        for (number, relationship) in pair.child.layout.toMany.enumerated() where relationship.isOrdered {
            guard let links = pair.child.toManyLinks(number), links.isReordered || !links.added.isEmpty else {
                continue
            }
            let wanted = (links.isLoaded ? links.objects : links.added.objects).compactMap(parent.counterpart)
            let present = pair.own.relatedObjects(number)
            let listed = ObjectList(wanted)
            let known = ObjectList(present)
            let order = present.filter { !listed.contains($0) } + wanted.filter(known.contains)
            pair.own.setOrder(order, links: pair.own.loadedLinks(number), number: number)
        }
    }
}

extension NSManagedObjectContext {
    /// Inserts into this context an object that a child inserted, under the identifier that it has here.
    ///
    /// `awakeFromInsert` is not called: it was called on the child's object, and its values are written next.
    fileprivate func insertCounterpart(of child: NSManagedObject) -> NSManagedObject {
        let address = localAddress(RowAddress(binding: child.binding, key: child.key))
        if let former = registry.object(table: address.binding.table, key: address.key) { former.leave() }
        let object = makeFault(address.binding, key: address.key, isTemporary: address.binding.isTemporary)
        object.flags.remove(.fault)
        object.flags.insert(.inserted)
        object.slab = child.isInserted ? object.layout.defaultRow : address.binding.blankRow(like: child)
        for (slot, value) in object.layout.transientDefaults { object.store(value, slot) }
        objectChanged(object)
        registry.journal.noteInsertion(object)
        return object
    }

    /// Saves changed objects into the parent, and makes their present values the committed ones.
    func writeChanges(_ changed: [NSManagedObject], to parent: NSManagedObjectContext) throws {
        let outcome = try ask(parent) {
            var writing = ParentWriting(context: self, parent: parent, changed: changed)
            return try writing.run()
        }
        keepAsCommitted(outcome.saved.filter { !$0.isDeleted })
        announceLost(outcome.lost)
        var result = SaveExecution.Outcome()
        result.saved = outcome.saved
        result.changes.add(ChangeSets(outcome.saved))
        for object in outcome.saved {
            object.flags.remove(.pending)
            object.finishSave()
        }
        finishSave(result)
    }

    private func keepAsCommitted(_ objects: [NSManagedObject]) {
        var copier = RowCopier()
        let rows = objects.map { copier.row(of: $0) }
        for (object, row) in zip(objects, rows) {
            object.slab = row.slab
            object.rowIndex = UInt16(row.index)
        }
    }

    /// Posts that objects were deleted, because the parent no longer has them, and removes their values.
    private func announceLost(_ objects: [NSManagedObject]) {
        guard !objects.isEmpty else { return }
        post(.NSManagedObjectContextObjectsDidChange, [NSDeletedObjectsKey: Set(objects)])
        for object in objects { object.becomeDeleted() }
    }
}

extension CoreDataError {
    /// The error for changed objects that the parent context has deleted.
    fileprivate static func goneFromParent(_ objects: [NSManagedObject]) -> NSError {
        conflicts(
            objects.map {
                NSMergeConflict(
                    source: $0, newVersion: 0, oldVersion: Int($0.snapshotVersion), cachedSnapshot: nil,
                    persistedSnapshot: nil)
            })
    }
}

extension EntityBinding {
    /// Makes a row without values, with the version at which an object was read.
    fileprivate func blankRow(like object: NSManagedObject) -> RowSlab {
        let slab = RowSlab(binding: self, capacity: 1)
        _ = slab.appendRow(key: object.key, version: object.snapshotVersion)
        return slab
    }
}
