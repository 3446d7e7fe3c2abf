import CoreDataModeling

/// Writes the changed objects of a context: makes a plan for each store, lets the store carry it out, and gives the
/// objects what was written as their new snapshots.
struct SaveExecution {
    let context: NSManagedObjectContext
    let changed: [NSManagedObject]

    /// What a save came to.
    struct Outcome {
        /// The objects whose changes are in their stores now.
        var saved: [NSManagedObject] = []
        /// Unchanged objects whose rows a store changed while it wrote others.
        var stale: [NSManagedObject] = []
        /// Why the stores after the first ones were not written.
        var failure: NSError?
    }

    /// - Throws: the first store's error; a later store's is in the outcome, since the stores before it are written.
    func run() throws -> Outcome {
        var outcome = Outcome()
        for (store, objects) in try Self.grouped(changed, in: context) {
            do {
                let alsoChanged = try save(objects, to: store)
                outcome.saved += objects
                for address in alsoChanged { forgetRow(address, in: store, &outcome) }
            } catch {
                guard !outcome.saved.isEmpty else { throw error }
                outcome.failure = CoreDataError.make(
                    NSPersistentStoreIncompleteSaveError, "Not all of the stores could be saved to.",
                    underlying: error, userInfo: [NSAffectedStoresErrorKey: [store]])
                return outcome
            }
        }
        return outcome
    }

    /// Objects by the store that they live in or will.
    static func grouped(
        _ objects: [NSManagedObject], in context: NSManagedObjectContext
    ) throws -> [(NSPersistentStore, [NSManagedObject])] {
        var groups: [(NSPersistentStore, [NSManagedObject])] = []
        for object in objects {
            let store =
                object.flags.contains(.temporary)
                ? context.coordinator.store(forInserting: object.layout) : object.binding.store
            guard let store else {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    "There is no store for objects of entity '\(object.entity.name ?? "")'.",
                    hint: "Add a persistent store to the coordinator before saving.")
            }
            if let index = groups.firstIndex(where: { $0.0 === store }) {
                groups[index].1.append(object)
            } else {
                groups.append((store, [object]))
            }
        }
        return groups
    }

    /// Saves to one store; gives the rows that the store changed by itself.
    private func save(_ objects: [NSManagedObject], to store: NSPersistentStore) throws -> [RowAddress] {
        guard let source = store.objects else {
            throw CoreDataError.make(NSPersistentStoreSaveError, "The store has been removed from its coordinator.")
        }
        guard !source.isReadOnly else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "The store is read-only and cannot be saved to.",
                reason: store.url.map { "'\($0.path)' was opened read-only." },
                userInfo: [NSAffectedStoresErrorKey: [store]])
        }
        var demand = KeyDemand()
        for object in objects where object.flags.contains(.temporary) {
            demand.counts[object.layout.root, default: 0] += 1
        }
        var writing = StoreWriting(store: store, objects: objects)
        return try store.serialized {
            switch try source.save(demand: demand, plan: { try writing.plan($0) }) {
            case .conflicts(let addresses): throw conflict(addresses)
            case .saved(let alsoChanged):
                writing.finish()
                return alsoChanged
            }
        }
    }

    private func conflict(_ addresses: [RowAddress]) -> NSError {
        let objects = addresses.compactMap { context.registry.object(table: $0.binding.table, key: $0.key) }
        for address in addresses {
            address.binding.store?.rowCache.forget(root: address.binding.layout.root, key: address.key)
        }
        return CoreDataError.conflicts(objects.map(\.objectID), objects: objects)
    }

    /// A row that the store itself changed is read again when it is next asked for.
    private func forgetRow(_ address: RowAddress, in store: NSPersistentStore, _ outcome: inout Outcome) {
        store.rowCache.forget(root: address.binding.layout.root, key: address.key)
        guard let object = context.registry.object(table: address.binding.table, key: address.key) else { return }
        if object.flags.contains(.pending) {
            object.needsRereading = true
        } else {
            outcome.stale.append(object)
        }
    }
}

/// What is written to one store, and the objects that it is written for.
private struct StoreWriting {
    let store: NSPersistentStore
    let objects: [NSManagedObject]
    private var packer: RowPacker
    private var written: [(NSManagedObject, RowReference)] = []

    init(store: NSPersistentStore, objects: [NSManagedObject]) {
        self.store = store
        self.objects = objects
        packer = RowPacker(store: store)
    }

    /// The plan, with the given keys for new objects.
    mutating func plan(_ granted: KeyGrant) throws -> SavePlan {
        var grant = granted
        var plan = SavePlan()
        for object in objects where object.flags.contains(.temporary) {
            object.workingValues().grantedKey = grant.take(root: object.layout.root)
        }
        for object in objects {
            if object.isDeleted {
                plan.deletions.append(.init(address: address(object), expectedVersion: object.snapshotVersion))
            } else if object.isInserted {
                plan.inserts.append(try pack(object, version: 1))
            } else if object.hasPersistentChangedValues {
                plan.updates.append(try pack(object, version: object.snapshotVersion &+ 1))
            }
            guard !object.isDeleted else { continue }
            plan.links += links(of: object)
            plan.orders += orders(of: object)
        }
        return plan
    }

    /// Gives the objects their new snapshots and identities, and the coordinator's cache the new rows.
    func finish() {
        for (object, row) in written {
            if object.flags.contains(.temporary) { object.becomePermanent(in: store, key: row.key) }
            object.slab = row.slab
            object.rowIndex = UInt32(row.index)
        }
        for slab in packer.slabs { store.rowCache.publish(slab) }
        for object in objects where object.isDeleted {
            store.rowCache.forget(root: object.layout.root, key: object.key)
        }
    }

    private mutating func pack(_ object: NSManagedObject, version: Int64) throws -> SavePlan.Row {
        let row = try packer.pack(object, key: object.savedKey, version: version)
        written.append((object, RowReference(slab: row.slab, index: row.index)))
        return row
    }

    private func address(_ object: NSManagedObject) -> RowAddress {
        RowAddress(binding: store.binding(for: object.layout), key: object.savedKey)
    }

    /// Changes of many-to-many and inverse-less relationships; those with a to-one inverse are in the members' rows.
    private func links(of object: NSManagedObject) -> [SavePlan.LinkChange] {
        guard let working = object.working else { return [] }
        var changes: [SavePlan.LinkChange] = []
        for (number, links) in working.toMany.enumerated() {
            guard let links, links.hasChanges else { continue }
            let relationship = object.layout.toMany[number]
            guard isWrittenFromHere(relationship) else { continue }
            let owner = address(object)
            for member in links.added.objects where isKept(member) {
                changes.append(
                    .init(relationship: relationship, owner: owner, member: address(member), isRemoval: false))
            }
            for member in links.removed.objects where isKept(member) {
                changes.append(
                    .init(relationship: relationship, owner: owner, member: address(member), isRemoval: true))
            }
        }
        return changes
    }

    /// The order of ordered relationships that got members or another order; of one never read, only what was added.
    private func orders(of object: NSManagedObject) -> [SavePlan.OrderChange] {
        guard let working = object.working else { return [] }
        return working.toMany.enumerated().compactMap { number, links in
            guard let links, links.isOrdered, links.isReordered || !links.added.isEmpty else { return nil }
            let members = (links.isLoaded ? links.members : links.added).objects.filter(isKept)
            return .init(
                relationship: object.layout.toMany[number], owner: address(object), members: members.map(\.savedKey))
        }
    }

    /// Whether there is a row of an object after the save.
    private func isKept(_ member: NSManagedObject) -> Bool { member.registry != nil && !member.isDeleted }

    /// Of the two ends of a many-to-many relationship one stands for both.
    private func isWrittenFromHere(_ relationship: NSRelationshipDescription) -> Bool {
        guard let inverse = relationship.inverseRelationship else { return true }
        guard inverse.isToMany else { return false }
        let mine = (relationship.entity?.name ?? "", relationship.name)
        return mine <= (inverse.entity?.name ?? "", inverse.name)
    }
}
