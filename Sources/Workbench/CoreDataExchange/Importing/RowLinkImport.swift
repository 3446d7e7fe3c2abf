import CoreData

/// The part of the second pass that needs no objects: leads to-one relationships of rows to what has come since.
struct RowLinkImport {
    /// How many targets are looked up together.
    private static let portion = 1000

    private let progress: ImportProgress
    private let objects: LinkImport
    private var store: OpenStore { progress.store }

    init(_ progress: ImportProgress, objects: LinkImport) {
        self.progress = progress
        self.objects = objects
    }

    /// Sets all relationships of rows that the ledger has.
    func run() throws {
        var last: Int64 = 0
        while true {
            let all = try progress.ledger.targets(after: last, limit: Self.portion)
            guard let end = all.last?.number else { return }
            try ReadCancellation.check()
            let others = try write(all)
            try objects.set(others)
            last = end
        }
    }

    /// Writes the targets into their rows; gives those for which objects are needed.
    private func write(_ all: [ImportLedger.Target]) throws -> [ImportLedger.Target] {
        var plan = SavePlan()
        plan.source = store.context.changeSource
        var others: [ImportLedger.Target] = []
        var slabs: [Int: RowSlab] = [:]
        var rest = all[...]
        while let owner = rest.first?.owner {
            // The relationships of one row follow each other.
            let own = rest.prefix { $0.owner == owner }
            rest = rest.dropFirst(own.count)
            let layout = progress.model.entities[owner.entity]
            let slab = slabs[owner.entity] ?? RowSlab(binding: store.store.binding(for: layout), capacity: 32)
            slabs[owner.entity] = slab
            _ = slab.appendRow(key: owner.key, version: 2)
            var changed = SlotSet()
            for target in own {
                guard try set(target, in: slab, layout: layout, changed: &changed) else {
                    others.append(target)
                    continue
                }
            }
            // A row of another version than its first has been changed by an object, and is left to objects.
            plan.updates.append(.init(slab: slab, index: slab.count - 1, changed: changed, expectedVersion: 1))
        }
        plan.updates.removeAll(where: \.changed.isEmpty)
        guard !plan.updates.isEmpty else { return others }
        do {
            return try store.store.save(plan) ? others : all
        } catch {
            throw SaveFailure(error, naming: { _ in nil }).error(at: store.facts.url)
        }
    }

    private func set(
        _ target: ImportLedger.Target, in slab: RowSlab, layout: EntityLayout, changed: inout SlotSet
    ) throws -> Bool {
        let entity = try progress.entity(named: layout.entity.name ?? "")
        guard case .toOne(_, let slot, let entities)? = entity.rows?.fields[layout.slots[target.slot].name]?.field,
            let place = try progress.knownPlace(named: target.label), entities.contains(place.entity)
        else { return false }
        slab.set(place, slot: slot, of: slab.count - 1)
        changed.insert(slot)
        changed.insert(slot + 1)
        return true
    }
}
