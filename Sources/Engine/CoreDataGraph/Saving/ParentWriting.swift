import CoreDataStore

/// Carries the changes of a context over into its parent. Used on the parent's queue, while the context's own waits.
///
/// Objects come first, then values and memberships, then orders, then deletions, so that everything that is referred to is
/// there. Relationships are set as a program would set them, which keeps the parent's inverses whatever they were.
struct ParentWriting {
    let context: NSManagedObjectContext
    let parent: NSManagedObjectContext
    private(set) var changed: [NSManagedObject]

    /// What came of it.
    struct Outcome {
        /// The objects whose changes the parent has.
        var saved: [NSManagedObject] = []
        /// Those that the parent does not have any more, and that the merge policy gives up.
        var lost: [NSManagedObject] = []
    }

    /// One object in both contexts.
    private struct Pair {
        let child: NSManagedObject
        let own: NSManagedObject
        /// Whether all values are to be carried over, or only the changed ones.
        let isWhole: Bool
    }

    /// - Throws: `NSManagedObjectMergeError` for objects that the parent has deleted, unless the policy resolves it; what reading a store
    ///   throws. The parent is then as it was.
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

    /// Whether the `mergeType` of the merge policy brings changed objects back that the parent does not have any more.
    ///
    /// The policy's methods are not called.
    /// - Throws: `NSManagedObjectMergeError` if the type is `errorMergePolicyType`, or the context has no policy.
    private func bringsBack(_ conflicts: [NSManagedObject]) throws -> Bool {
        guard !conflicts.isEmpty else { return false }
        switch (context.mergePolicy as? NSMergePolicy)?.mergeType {
        case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: return true
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: return false
        case .errorMergePolicyType, nil: throw CoreDataError.goneFromParent(conflicts)
        }
    }

    /// Takes objects out of the child, with all that was changed in them.
    private mutating func giveUp(_ lost: [NSManagedObject]) {
        for object in lost { object.leaveMerged() }
        context.dropLeft()
        changed = context.pending.changed
    }

    /// Whether the parent, or what it reads from, has an object.
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

    /// An object that is new to the parent, or that the parent has deleted and gets back.
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

    /// Members of relationships whose other side is to-one come with that side.
    private func writeMembers(of pair: Pair) {
        for (number, relationship) in pair.child.layout.toMany.enumerated() {
            guard let links = pair.child.toManyLinks(number), links.hasChanges,
                relationship.inverseRelationship.map(\.isToMany) ?? true
            else { continue }
            for member in links.removed.objects {
                // If both have deleted the member, the parent's own deletion already changed the relationship, and may be undone.
                guard let own = parent.counterpart(of: member), !(member.isDeleted && own.isDeleted) else { continue }
                pair.own.overruleRelated(own, number, isMember: false)
            }
            for member in links.added.objects where !member.isDeleted {
                guard let own = parent.counterpart(of: member), !own.isDeleted else { continue }
                pair.own.overruleRelated(own, number, isMember: true)
            }
        }
    }

    /// The members that the child put into an order stand at the end in that order; others stay before them as they are.
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
    /// Makes an object that a child inserted one of this context's inserted ones, under the identifier that it has there.
    ///
    /// `awakeFromInsert` is not called again: the child's object has received it, and its values follow.
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

    /// Saves changed objects into the parent, and makes what they have the committed state.
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

    /// Reports objects that were given up, because the parent does not have them any more.
    private func announceLost(_ objects: [NSManagedObject]) {
        guard !objects.isEmpty else { return }
        post(.NSManagedObjectContextObjectsDidChange, [NSDeletedObjectsKey: Set(objects)])
        for object in objects { object.becomeDeleted() }
    }
}

extension CoreDataError {
    /// Changed objects that the parent context has deleted meanwhile.
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
    /// A row without any value that knows the version which an object was read at.
    fileprivate func blankRow(like object: NSManagedObject) -> RowSlab {
        let slab = RowSlab(binding: self, capacity: 1)
        _ = slab.appendRow(key: object.key, version: object.snapshotVersion)
        return slab
    }
}
