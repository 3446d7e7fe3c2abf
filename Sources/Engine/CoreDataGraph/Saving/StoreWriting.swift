import CoreDataStore

/// What is written to one store, and the objects that it is written for.
struct StoreWriting {
    let store: NSPersistentStore
    let objects: [NSManagedObject]
    /// Objects that are not written, and whose rows must be unchanged.
    private let locked: [NSManagedObject]
    /// Deleted objects whose rows no longer exist.
    private let gone: Set<NSManagedObject>
    private let context: NSManagedObjectContext
    private var packer: RowPacker
    private var written: ContiguousArray<WrittenRow> = []
    /// Objects whose assigned values all equal the stored row, for which nothing is written.
    private(set) var unwritten = UnwrittenObjects()

    /// A row of the plan and its object: the places of both and of the row's slab, which are retained elsewhere.
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

    /// Makes the plan, with the given keys for new objects. The store need not be locked.
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

    /// Remembers the row that was packed last as that of the object at a place.
    private mutating func note(_ row: borrowing SavePlan.Row, of place: Int) {
        written.append(
            WrittenRow(object: Int32(place), slab: Int32(packer.currentSlab), row: Int32(truncatingIfNeeded: row.index))
        )
    }

    private func snapshot(_ written: WrittenRow) -> RowSnapshot {
        RowSnapshot(slab: packer.slabs[Int(written.slab)], index: Int(written.row))
    }

    /// The version of a row that is inserted.
    ///
    /// Where the key had a row before, a context may still hold any of its versions up to the last, which is not known any
    /// more: the new row must not be taken for it.
    private static func firstVersion(of object: NSManagedObject) -> Int64 {
        guard object.snapshotVersion > 0 else { return 1 }
        return object.snapshotVersion &+ Int64.random(in: 1 << 16..<1 << 32)
    }

    /// Runs a block that executes the plan; a store that works with objects is passed these.
    func served<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let serving = store.objectServing else { return try body() }
        return try serving.serving(
            RequestOrigin(context: context, objects: objects.filter { !gone.contains($0) }, locked: locked), body)
    }

    /// Removes what was put outside the rows of a plan that was not saved.
    func discardLargeValues() { packer.largeValues?.discard(after: 0) }

    /// Gives the objects their new snapshots and identities, and the coordinator's cache the new rows.
    ///
    /// - Returns: the pending updates of objects for which the store derived values.
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

    /// Gives new objects the identities of their rows.
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

    /// Changes of many-to-many and inverse-less relationships; those with a to-one inverse are in the members' rows.
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

    /// Changes that the representative end does not have: it was never read, and reverted its own change.
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

    /// The order of ordered relationships that got members or another order; of one never read, only what was added.
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

    /// Whether there is a row of an object after the save.
    private func isKept(_ member: NSManagedObject) -> Bool { member.registry != nil && !member.isDeleted }

    /// One of the two ends of a many-to-many relationship represents both.
    private func isWrittenFromHere(_ relationship: NSRelationshipDescription) -> Bool {
        guard let inverse = relationship.inverseRelationship else { return true }
        guard inverse.isToMany else { return false }
        guard relationship.mutualInverse != nil else { return true }
        let mine = (relationship.entity?.name ?? "", relationship.name)
        return mine <= (inverse.entity?.name ?? "", inverse.name)
    }
}
