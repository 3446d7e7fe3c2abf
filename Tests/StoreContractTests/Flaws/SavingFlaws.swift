import CoreData

/// Says that it has written updates, and has not.
final class DropsUpdates: PassingLayer {
    override func altered(_ plan: SavePlan) -> SavePlan {
        var plan = plan
        plan.updates = []
        return plan
    }
}

/// Says that it has deleted, and has not.
final class DropsDeletions: PassingLayer {
    override func altered(_ plan: SavePlan) -> SavePlan {
        var plan = plan
        plan.deletions = []
        return plan
    }
}

/// Forgets the pairs of many-to-many relationships.
final class LosesLinks: PassingLayer {
    override func altered(_ plan: SavePlan) -> SavePlan {
        var plan = plan
        plan.links = []
        return plan
    }
}

/// Forgets the order of members.
final class LosesOrder: PassingLayer {
    override func altered(_ plan: SavePlan) -> SavePlan {
        var plan = plan
        plan.orders = []
        return plan
    }
}

/// Says that a save with conflicts was written.
final class SwallowsConflicts: PassingLayer {
    override func save(demand: KeyDemand, plan: (KeyGrant) throws -> SavePlan) throws -> SaveOutcome {
        guard case .saved(let changed) = try inner.save(demand: demand, plan: plan) else {
            return .saved(derived: DerivedChanges())
        }
        return .saved(derived: changed)
    }
}

/// Does not say which rows got other derived values.
final class HidesDerivedValues: PassingLayer {
    override func save(demand: KeyDemand, plan: (KeyGrant) throws -> SavePlan) throws -> SaveOutcome {
        let outcome = try inner.save(demand: demand, plan: plan)
        guard case .saved = outcome else { return outcome }
        return .saved(derived: DerivedChanges())
    }
}

/// Writes insertions first, whatever comes of the rest.
final class SavesHalf: PassingLayer {
    override func save(demand: KeyDemand, plan: (KeyGrant) throws -> SavePlan) throws -> SaveOutcome {
        var rest = SavePlan()
        let first = try inner.save(demand: demand) { grant in
            rest = try plan(grant)
            var insertions = SavePlan()
            insertions.inserts = rest.inserts
            return insertions
        }
        guard case .saved = first else { return first }
        rest.inserts = []
        return try inner.save(demand: KeyDemand()) { _ in rest }
    }
}

/// Gives the keys of deleted records out again, and those reserved for records that do not come.
final class ReusesKeys: PassingLayer {
    private var live: [Int: Set<Int64>] = [:]

    override func save(demand: KeyDemand, plan: (KeyGrant) throws -> SavePlan) throws -> SaveOutcome {
        try inner.save(demand: KeyDemand()) { _ in
            let made = try plan(try reserveKeys(demand))
            for row in made.inserts { live[row.slab.layout.root, default: []].insert(row.key) }
            for deletion in made.deletions {
                live[deletion.address.binding.layout.root]?.remove(deletion.address.key)
            }
            return made
        }
    }

    override func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant {
        KeyGrant(firstByRoot: demand.counts.keys.reduce(into: [:]) { $0[$1] = (live[$1]?.max() ?? 0) + 1 })
    }
}
