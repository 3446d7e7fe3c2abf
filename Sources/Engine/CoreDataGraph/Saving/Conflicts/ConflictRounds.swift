import CoreDataStore

/// The conflicts of one save in one store. In each round the context's merge policy resolves the reported conflicts,
/// and the save is tried again with the policy's changes.
///
/// An object that conflicts again with the same stored version was not resolved, and the save fails. If another context
/// has saved the object in between, the policy is called for it again.
struct ConflictRounds {
    /// The conflicts that a store reported for a save plan.
    enum Refusal {
        case rows([RowAddress])
        case values([UniquenessConflict])

        var count: Int {
            switch self {
            case .rows(let addresses): addresses.count
            case .values(let conflicts): conflicts.count
            }
        }
    }

    /// The number of rounds with constraint conflicts after which saving fails; it also fails if a conflict recurs.
    static let roundLimit = 1000

    let context: NSManagedObjectContext
    let store: NSPersistentStore
    /// Deleted objects whose records another writer has already deleted.
    private(set) var gone: Set<NSManagedObject> = []
    private(set) var checkpoint: ContextCheckpoint?
    private var versions: [ObjectIdentifier: Int] = [:]
    private var collisions: Set<Collision> = []
    private var constraintRounds = 0

    private struct Collision: Hashable {
        let constraint: [String]
        let record: NSManagedObject?
        let objects: [NSManagedObject]

        init(_ conflict: NSConstraintConflict) {
            constraint = conflict.constraint
            record = conflict.databaseObject
            objects = conflict.conflictingObjects
        }
    }

    init(context: NSManagedObjectContext, store: NSPersistentStore) {
        self.context = context
        self.store = store
    }

    /// Calls the merge policy to resolve the conflicts, and validates the changed objects again.
    ///
    /// - Throws: what the policy throws; `NSManagedObjectMergeError` or `NSManagedObjectConstraintMergeError` for
    ///   conflicts that it did not resolve; validation errors of the changed objects; the store's error.
    mutating func resolve(_ refusal: Refusal, of objects: [NSManagedObject]) throws {
        if checkpoint == nil { checkpoint = ContextCheckpoint(context) }
        CoreDataMetrics.add(refusal.count, to: .saveConflicts, of: store.instrumentName)
        let conflicts = try conflicts(refusal, of: objects)
        guard !conflicts.isEmpty else { return }
        try context.resolvingConflicts { try $0.decidingPolicy.resolve(mergeConflicts: conflicts) }
    }

    /// Restores the state of the context before the first round.
    func restore() { checkpoint?.restore() }

    // MARK: Progress

    private mutating func conflicts(_ refusal: Refusal, of objects: [NSManagedObject]) throws -> [Any] {
        let source = ConflictBuilder(store: store, objects: objects)
        switch refusal {
        case .rows(let addresses):
            let found = try source.merging(addresses)
            let known = gone.count
            gone.formUnion(found.gone)
            // Without a conflict or a newly deleted record, trying again would not end.
            guard !found.conflicts.isEmpty || gone.count > known else { throw CoreDataError.conflicts([]) }
            try requireProgress(found.conflicts)
            return found.conflicts
        case .values(let values):
            let conflicts = try source.constraints(values)
            try requireProgress(conflicts)
            return conflicts
        }
    }

    private mutating func requireProgress(_ conflicts: [NSMergeConflict]) throws {
        let unresolved = conflicts.filter { versions[ObjectIdentifier($0.sourceObject)] == $0.newVersionNumber }
        guard unresolved.isEmpty else { throw CoreDataError.conflicts(unresolved) }
        for conflict in conflicts { versions[ObjectIdentifier(conflict.sourceObject)] = conflict.newVersionNumber }
    }

    private mutating func requireProgress(_ conflicts: [NSConstraintConflict]) throws {
        constraintRounds += 1
        let met = conflicts.map(Collision.init)
        let unresolved = zip(conflicts, met).filter { collisions.contains($1) }.map { $0.0 }
        let isEndless = constraintRounds > Self.roundLimit
        guard unresolved.isEmpty, !isEndless else {
            throw CoreDataError.constraintConflicts(unresolved.isEmpty ? conflicts : unresolved)
        }
        collisions.formUnion(met)
    }
}

extension NSManagedObjectContext {
    /// Runs a merge policy, then applies the delete rules, calls `willSave` on the changed objects and validates them.
    fileprivate func resolvingConflicts(_ body: (NSManagedObjectContext) throws -> Void) throws {
        isPreparingSave = true
        defer { isPreparingSave = false }
        try body(self)
        if let failure = propagateDeletions() { throw failure }
        forgetCancelledInsertions()
        for object in unannounced { object.forgetBeingUpdated() }
        try prepareResolved()
    }

    /// Calls `willSave` on the objects that the policy changed, then on those that changed because of that, and
    /// validates the changed objects, until validation rules change no value any more.
    private func prepareResolved() throws {
        var open = unannounced + refreshed.filter { !$0.flags.contains(.unannounced) }
        for _ in 0..<Self.savePreparationLimit {
            let former = unannounced
            for object in former { object.flags.remove(.unannounced) }
            unannounced = []
            defer {
                unannounced =
                    former.filter { $0.registry === registry && $0.flags.insert(.unannounced).inserted } + unannounced
            }
            for object in open where object.registry === registry && object.hasChanges { object.willSave() }
            if unannounced.isEmpty { try validate(pending.filter(\.hasChanges)) }
            if unannounced.isEmpty { return }
            if let failure = propagateDeletions() { throw failure }
            open = unannounced
        }
        throw CoreDataError.endlessSavePreparation(unannounced[0], passes: Self.savePreparationLimit)
    }
}
