import CoreDataStore

/// One save to one store: its plan, and the objects that are written.
struct StoreWriting {
    let store: NSPersistentStore
    let objects: [NSManagedObject]
    /// Objects that are not written, but whose rows must be unchanged.
    private let locked: [NSManagedObject]
    /// Deleted objects whose rows another writer has deleted already.
    private let gone: Set<NSManagedObject>
    private let context: NSManagedObjectContext
    private var packer: RowPacker
    private var written: ContiguousArray<WrittenRow> = []
    /// Objects whose assigned values all equal the stored row, which are not written.
    private(set) var unwritten = UnwrittenObjects()

    /// A row of the plan and its object: the index of the object, of the row's slab and of the row in it; other
    /// properties retain the object and the slab.
    private struct WrittenRow {
        let object: Int32
        let slab: Int32
        let row: Int32
    }

    init(
        store: NSPersistentStore, objects: [NSManagedObject], locked: [NSManagedObject], gone: Set<NSManagedObject>,
        context: NSManagedObjectContext
    ) {
        self.store = store
        self.objects = objects
        self.locked = locked
        self.gone = gone
        self.context = context
        packer = RowPacker(store: store, context: context)
    }

    /// Makes the plan, with the granted keys for new objects. The store need not be locked.
    mutating func plan(_ granted: KeyGrant) throws -> SavePlan {
        var grant = granted
        var plan = SavePlan()
        plan.keys = granted
        plan.source = context.changeSource
        written.reserveCapacity(objects.count)
        for object in objects where object.flags.contains(.temporary) {
            object.workingValues().grantedKey = grant.take(root: object.layout.root)
        }
        for (place, object) in objects.enumerated() {
            if object.isMarkedDeleted {
                if gone.contains(object) { continue }
                plan.deletions.append(.init(address: address(object), expectedVersion: object.snapshotVersion))
            } else {
                try add(object, at: place, to: &plan)
            }
        }
        plan.locks = locked.map { .init(address: address($0), expectedVersion: $0.snapshotVersion) }
        return plan
    }

    private mutating func add(_ object: NSManagedObject, at place: Int, to plan: inout SavePlan) throws {
        let places = plan.links.count + plan.orders.count
        if let working = object.working, !working.toMany.isEmpty {
            try addLinks(of: object, working, to: &plan)
            addOrders(of: object, working, to: &plan)
        }
        if object.flags.contains(.inserted) {
            let row = try packer.pack(object, key: object.savedKey, version: Self.firstVersion(of: object))
            plan.inserts.append(row)
            note(row, of: place)
        } else if object.hasAssignedProperties {
            let row = try packer.pack(object, key: object.key, version: object.snapshotVersion &+ 1)
            let hasLinks = object.working?.toMany.contains { $0?.hasChanges == true } == true
            guard !row.changed.isEmpty || hasLinks || places < plan.links.count + plan.orders.count else {
                unwritten.add(object)
                return packer.discard(row)
            }
            plan.updates.append(row)
            note(row, of: place)
        }
    }

    /// Records that the row packed last is that of the object at an index.
    private mutating func note(_ row: borrowing SavePlan.Row, of place: Int) {
        written.append(
            WrittenRow(object: Int32(place), slab: Int32(packer.currentSlab), row: Int32(truncatingIfNeeded: row.index))
        )
    }

    private func snapshot(_ written: WrittenRow) -> RowSnapshot {
        RowSnapshot(slab: packer.slabs[Int(written.slab)], index: Int(written.row))
    }

    /// Returns the version of a row that is inserted.
    ///
    /// If the key had a row before, a context may still have any version of that row up to the last one, which is no
    /// longer known. The new row gets a much greater version, so that it is not mistaken for one of them.
    private static func firstVersion(of object: NSManagedObject) -> Int64 {
        guard object.snapshotVersion > 0 else { return 1 }
        return object.snapshotVersion &+ Int64.random(in: 1 << 16..<1 << 32)
    }

    /// Runs a block that executes the plan; a store that works with objects receives the objects for it.
    func served<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let serving = store.objectServing else { return try body() }
        return try serving.serving(
            RequestOrigin(context: context, objects: objects.filter { !gone.contains($0) }, locked: locked), body)
    }

    /// Removes the large values that were written outside the rows of a plan that was not saved.
    func discardLargeValues() { packer.largeValues?.discard(after: 0) }

    /// Makes the written rows the objects' snapshots, gives new objects their permanent identifiers, and publishes the
    /// rows in the coordinator's row cache.
    ///
    /// - Returns: the pending replacements of rows and snapshots for which the store derived values.
    func finish(_ derived: DerivedChanges) -> DerivedRenewal {
        store.rowCache.noteCommit()
        moveUnsaved()
        var renewal = DerivedRenewal(derived, store: store, registry: context.registry)
        if !derived.isEmpty { renewal.write(to: written.map { (objects[Int($0.object)], snapshot($0)) }) }
        for place in written {
            let object = objects[Int(place.object)]
            object.slab = packer.slabs[Int(place.slab)]
            object.rowIndex = UInt16(place.row)
        }
        for slab in packer.slabs { store.rowCache.publishWritten(slab) }
        for object in objects where object.isMarkedDeleted {
            store.rowCache.forgetDeleted(root: object.layout.root, key: object.key)
            renewal.leaveOut(object)
        }
        renewal.replaceOthers()
        return renewal
    }

    /// Registers new objects under the permanent keys of their rows.
    private func moveUnsaved() {
        let all = written.count == objects.count && objects.allSatisfy { $0.flags.contains(.temporary) }
        let unsaved = all ? written : written.filter { objects[Int($0.object)].flags.contains(.temporary) }
        guard !unsaved.isEmpty else { return }
        context.registry.move(
            all ? objects : unsaved.map { objects[Int($0.object)] },
            keys: unsaved.map { packer.slabs[Int($0.slab)].key(Int($0.row)) }, to: store)
    }

    private func address(_ object: NSManagedObject) -> RowAddress {
        RowAddress(binding: store.binding(for: object.layout), key: object.savedKey)
    }

    /// Adds the changes of many-to-many relationships and of those without an inverse; those with a to-one inverse are
    /// in the members' rows.
    private mutating func addLinks(
        of object: NSManagedObject, _ working: WorkingValues, to plan: inout SavePlan
    ) throws {
        for (number, links) in working.toMany.enumerated() {
            guard let links, links.hasChanges else { continue }
            let relationship = object.layout.toMany[number]
            guard isWrittenFromHere(relationship) else {
                addOtherEnd(of: object, links, relationship, to: &plan)
                continue
            }
            let owner = address(object)
            for member in links.added.objects where isKept(member) {
                try packer.requireHere(member, from: object, relationship.name)
                plan.links.append(
                    .init(relationship: relationship, owner: owner, member: address(member), isRemoval: false))
            }
            for member in links.removed.objects where isKept(member) {
                plan.links.append(
                    .init(relationship: relationship, owner: owner, member: address(member), isRemoval: true))
            }
        }
    }

    /// Adds changes of a many-to-many relationship that are recorded only at this end: the end from which it is written
    /// was never loaded, and has reverted its own change.
    private func addOtherEnd(
        of object: NSManagedObject, _ links: ToManyLinks, _ relationship: NSRelationshipDescription,
        to plan: inout SavePlan
    ) {
        guard let inverse = relationship.inverseRelationship, inverse.isToMany else { return }
        for (members, isRemoval) in [(links.added, false), (links.removed, true)] {
            for member in members.objects where isKept(member) {
                guard case .toMany(let number)? = member.place(of: inverse) else { continue }
                let back = member.toManyLinks(number)
                guard back?.isLoaded != true, (isRemoval ? back?.removed : back?.added)?.contains(object) != true else {
                    continue
                }
                plan.links.append(
                    .init(relationship: inverse, owner: address(member), member: address(object), isRemoval: isRemoval))
            }
        }
    }

    /// Adds the order of ordered relationships whose members or order changed; for one that was never loaded, only the
    /// order of the added members.
    private func addOrders(of object: NSManagedObject, _ working: WorkingValues, to plan: inout SavePlan) {
        for (number, links) in working.toMany.enumerated() {
            guard let links, links.isOrdered, links.isReordered || !links.added.isEmpty else { continue }
            let members = (links.isLoaded ? links.objects : links.added.objects).filter(isKept)
            plan.orders.append(
                .init(
                    relationship: object.layout.toMany[number], owner: address(object),
                    members: members.map(\.savedKey)))
        }
    }

    /// Whether the object has a row after the save.
    private func isKept(_ member: NSManagedObject) -> Bool { member.registry != nil && !member.isDeleted }

    /// Whether a relationship's changes are written from this end; of the two ends of a many-to-many relationship only
    /// the first by name is.
    private func isWrittenFromHere(_ relationship: NSRelationshipDescription) -> Bool {
        guard let inverse = relationship.inverseRelationship else { return true }
        guard inverse.isToMany else { return false }
        guard relationship.mutualInverse != nil else { return true }
        let mine = (relationship.entity?.name ?? "", relationship.name)
        return mine <= (inverse.entity?.name ?? "", inverse.name)
    }
}
