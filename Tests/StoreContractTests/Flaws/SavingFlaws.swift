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
    override func save(_ plan: SavePlan) throws -> SaveOutcome {
        guard case .saved(let changed) = try inner.save(plan) else {
            return .saved(SaveReceipt())
        }
        return .saved(changed)
    }
}

/// Does not say which rows got other derived values.
final class HidesDerivedValues: PassingLayer {
    override func save(_ plan: SavePlan) throws -> SaveOutcome {
        let outcome = try inner.save(plan)
        guard case .saved = outcome else { return outcome }
        return .saved(SaveReceipt())
    }
}

/// Writes insertions first, whatever comes of the rest.
final class SavesHalf: PassingLayer {
    override func save(_ plan: SavePlan) throws -> SaveOutcome {
        var (insertions, rest) = (SavePlan(), plan)
        (insertions.keys, insertions.inserts) = (plan.keys, plan.inserts)
        let first = try inner.save(insertions)
        guard case .saved = first else { return first }
        (rest.keys, rest.inserts) = (KeyGrant(), [])
        return try inner.save(rest)
    }
}

/// Gives the keys of deleted records out again, and those reserved for records that do not come.
final class ReusesKeys: PassingLayer {
    private var live: [Int: Set<Int64>] = [:]

    override func save(_ plan: SavePlan) throws -> SaveOutcome {
        for row in plan.inserts { live[row.slab.layout.root, default: []].insert(row.key) }
        for deletion in plan.deletions {
            live[deletion.address.binding.layout.root]?.remove(deletion.address.key)
        }
        var plan = plan
        plan.keys = KeyGrant()
        return try inner.save(plan)
    }

    override func checkOutKeys(_ demand: KeyDemand) throws -> KeyGrant {
        KeyGrant(
            demand.counts.reduce(into: [:]) { blocks, entry in
                blocks[entry.key] = .init(first: (live[entry.key]?.max() ?? 0) + 1, count: entry.value)
            })
    }

    override func checkInKeys(_ grant: KeyGrant) {}

    override func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant { try checkOutKeys(demand) }
}
