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
        // Objects of one entity and store follow each other, mostly: the answer for the last one is that for the next.
        var former: (binding: EntityBinding, index: Int)?
        for object in objects {
            let assigned = object.assignedStore
            if assigned == nil, let former, former.binding === object.binding {
                groups[former.index].1.append(object)
                continue
            }
            let store =
                object.flags.contains(.temporary)
                ? assigned ?? context.coordinator.store(forInserting: object.layout) : object.binding.store
            guard let store else {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    "There is no store for objects of entity '\(object.entity.name ?? "")'.",
                    hint: "Add a persistent store to the coordinator before saving.")
            }
            let index = groups.firstIndex { $0.0 === store } ?? groups.count
            if index == groups.count { groups.append((store, [])) }
            groups[index].1.append(object)
            if assigned == nil { former = (object.binding, index) }
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
        var writing = StoreWriting(store: store, objects: objects, context: context)
        return try store.serialized {
            switch try source.save(demand: demand, plan: { try writing.plan($0) }) {
            case .conflicts(let addresses): throw writing.conflicts.mergeError(addresses)
            case .constraintConflicts(let conflicts): throw writing.conflicts.constraintError(conflicts)
            case .saved(let alsoChanged):
                writing.finish()
                for row in alsoChanged { store.rowCache.forget(root: row.binding.layout.root, key: row.key) }
                context.coordinator.mergingContexts.announce(objects, alsoChanged, by: context)
                return alsoChanged
            }
        }
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
