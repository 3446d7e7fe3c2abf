import CoreDataStore

/// Writes the changed objects of a context: makes a save plan for each store, which executes it, and makes the written
/// rows the objects' snapshots.
struct SaveExecution {
    let context: NSManagedObjectContext
    let changed: [NSManagedObject]
    /// Objects that are not written, but whose records must be unchanged.
    let locked: [NSManagedObject]
    /// Returns the objects to be written after a merge policy has changed something.
    let remaining: (NSManagedObjectContext) -> [NSManagedObject]

    /// The outcome of a save.
    struct Outcome {
        /// The objects whose changes were written to their stores.
        var saved: [NSManagedObject] = []
        /// The saved objects by the kinds of their changes.
        var changes = ChangeSets()
        /// Objects for which a store derived a value while it saved.
        var derived: [NSManagedObject] = []
        /// The objects that merge policies changed, by the user info keys of the notification.
        var resolved: [String: Set<NSManagedObject>] = [:]
        /// Objects that left the context because of merge policies.
        var departed: [NSManagedObject] = []
        /// The numbers of the saves' transactions in the stores' histories, by the stores' identifiers.
        var transactions: [String: Int64] = [:]
        /// Objects with assigned values that all equal the stored ones.
        var unwritten = UnwrittenObjects()
        /// The error because of which a store after the first, and all stores after it, were not written.
        var failure: NSError?

        /// The history token after the save; nil if no store has recorded it.
        var historyToken: NSPersistentHistoryToken? {
            transactions.isEmpty ? nil : NSPersistentHistoryToken(transactions)
        }
    }

    /// - Throws: the error of the first store. The error of a later store is in the outcome, since the stores before it
    ///   have been written.
    func run() throws -> Outcome {
        var outcome = Outcome()
        let watched = locked.filter { $0.registry === context.registry && !$0.isChanged && !$0.isFault }
        for (store, objects) in try Self.grouped(changed + watched, in: context) {
            do {
                try save(
                    objects.changed, watching: watched.isEmpty ? [] : objects.filter { !$0.isChanged }, to: store,
                    &outcome)
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

    /// Groups objects by the store that they are in or will be saved to.
    static func grouped(
        _ objects: [NSManagedObject], in context: NSManagedObjectContext
    ) throws -> [(NSPersistentStore, [NSManagedObject])] {
        if let store = sharedStore(of: objects, in: context) { return [(store, objects)] }
        var groups: [(NSPersistentStore, [NSManagedObject])] = []
        // Objects of one entity and store usually follow each other: the last object's store is tried first.
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

    /// Returns the common store of objects that are all saved, or all new without an assigned store, and of one entity;
    /// nil if the objects must be grouped.
    private static func sharedStore(
        of objects: [NSManagedObject], in context: NSManagedObjectContext
    ) -> NSPersistentStore? {
        guard let first = objects.first else { return nil }
        let (binding, isTemporary) = (first.binding, first.flags.contains(.temporary))
        let isShared = objects.allSatisfy {
            $0.binding === binding && $0.flags.contains(.temporary) == isTemporary && $0.assignedStore == nil
        }
        guard isShared else { return nil }
        return isTemporary ? context.coordinator.store(forInserting: binding.layout) : binding.store
    }

    /// Saves to one store, and calls the merge policy until there are no conflicts.
    private func save(
        _ first: [NSManagedObject], watching: [NSManagedObject], to store: NSPersistentStore, _ outcome: inout Outcome
    ) throws {
        var objects = first
        var rounds = ConflictRounds(context: context, store: store)
        do {
            while true {
                let locked = watching.filter { $0.registry === context.registry && !$0.isChanged && !$0.isFault }
                var renewal: DerivedRenewal?
                switch try attempt(
                    objects, locked: locked, to: store, gone: rounds.gone, renewal: &renewal,
                    unwritten: &outcome.unwritten)
                {
                case .saved(let receipt):
                    outcome.transactions[store.identifier] = receipt.position
                    return commit(objects, rounds: rounds, renewal: renewal, outcome: &outcome)
                case .conflicts(let addresses): try rounds.resolve(.rows(addresses), of: objects + locked)
                case .constraintConflicts(let conflicts): try rounds.resolve(.values(conflicts), of: objects)
                case .keysTaken: continue
                }
                objects = try Self.grouped(remaining(context), in: context).first { $0.0 === store }?.1 ?? []
            }
        } catch {
            rounds.restore()
            throw error
        }
    }

    /// Tries to write objects to one store. The store is locked while the plan is executed, not while it is made.
    private func attempt(
        _ objects: [NSManagedObject], locked: [NSManagedObject], to store: NSPersistentStore,
        gone: Set<NSManagedObject>, renewal: inout DerivedRenewal?, unwritten: inout UnwrittenObjects
    ) throws -> SaveOutcome {
        guard let source = store.objects else {
            throw CoreDataError.make(NSPersistentStoreSaveError, "The store has been removed from its coordinator.")
        }
        guard !source.isReadOnly else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "The store is read-only and cannot be saved to.",
                reason: source.reasonForReadOnly ?? store.url.map { "'\($0.path)' was opened read-only." },
                userInfo: [NSAffectedStoresErrorKey: [store]])
        }
        if let serving = store.objectServing { try context.identify(objects, by: serving, in: store) }
        let demand = KeyDemand(of: objects)
        let keys = demand.isEmpty ? KeyGrant() : try store.serialized { try source.checkOutKeys(demand) }
        func written(with keys: KeyGrant) throws -> SaveOutcome {
            try write(
                StoreWriting(store: store, objects: objects, locked: locked, gone: gone, context: context),
                with: keys, source: source, renewal: &renewal, unwritten: &unwritten)
        }
        let outcome = try written(with: keys)
        guard case .keysTaken = outcome else { return outcome }
        return try written(with: try store.serialized { try source.reserveKeys(demand) })
    }

    /// Makes a plan with the given keys, and executes it.
    private func write(
        _ prepared: StoreWriting, with keys: KeyGrant, source: any ObjectStore, renewal: inout DerivedRenewal?,
        unwritten: inout UnwrittenObjects
    ) throws -> SaveOutcome {
        var writing = prepared
        var wasSaved = false
        defer {
            if !wasSaved {
                writing.discardLargeValues()
                writing.store.serialized { source.checkInKeys(keys) }
            }
        }
        let plan = try writing.plan(keys)
        return try writing.store.carryingOut {
            try writing.served { try source.save(plan) }
        } finish: { receipt in
            wasSaved = true
            let others = writing.finish(receipt.derived)
            context.coordinator.mergingContexts.announce(writing.objects, others.addresses, by: context)
            renewal = others
            unwritten.count += writing.unwritten.count
            if let entity = writing.unwritten.entity { unwritten.entity = entity }
        }
    }

    /// Makes the written values the committed ones.
    private func commit(
        _ objects: [NSManagedObject], rounds: ConflictRounds, renewal: DerivedRenewal?, outcome: inout Outcome
    ) {
        if let checkpoint = rounds.checkpoint {
            outcome.departed += checkpoint.departed
            let sets = context.takeUnannounced()
            outcome.resolved.merge(sets) { $0.union($1) }
        }
        outcome.saved.append(sharing: objects)
        outcome.changes.add(ChangeSets(objects))
        for object in objects {
            object.flags.remove(.pending)
            object.finishSave()
        }
        renewal?.adopt()
        outcome.derived += renewal?.objects ?? []
    }
}

extension KeyDemand {
    /// Counts the keys that the unsaved objects need.
    init(of objects: [NSManagedObject]) {
        self.init()
        // Successive objects are usually of one entity.
        var (root, count) = (0, 0)
        for object in objects where object.flags.contains(.temporary) {
            if object.layout.root != root {
                if count > 0 { counts[root, default: 0] += count }
                (root, count) = (object.layout.root, 0)
            }
            count += 1
        }
        if count > 0 { counts[root, default: 0] += count }
    }
}
