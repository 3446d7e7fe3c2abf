import CoreDataModeling

/// Reads the relationships of many objects, and the rows of their targets, with one question a relationship.
///
/// A prefetched relationship holds its objects as one that was read does, until the object is refreshed. No fault fires:
/// owners and targets stay as they were, and what fires later finds its row.
struct Prefetching {
    let context: NSManagedObjectContext

    /// Carries out a plan for fetched objects.
    ///
    /// - Throws: the store's error.
    func run(_ plan: PrefetchPlan, for objects: [NSManagedObject]) throws {
        var reached: [[NSManagedObject]] = []
        for step in plan.steps {
            let owners = step.parent.map { reached[$0] } ?? objects
            reached.append(try prefetch(step.relationship, of: owners))
        }
    }

    /// Prefetches one relationship and gives the objects at its other end, each once.
    private func prefetch(
        _ relationship: NSRelationshipDescription, of owners: [NSManagedObject]
    ) throws -> [NSManagedObject] {
        var targets = ObjectList()
        let usable = owners.filter { $0.flags.isDisjoint(with: .inaccessible) && $0.registry === context.registry }
        if relationship.isToMany {
            try collectMembers(relationship, of: usable, into: &targets)
        } else {
            for owner in usable {
                if let target = owner.prefetchedTarget(of: relationship, in: context) { targets.append(target) }
            }
        }
        try context.readRows(of: targets.objects)
        return targets.objects
    }

    private func collectMembers(
        _ relationship: NSRelationshipDescription, of owners: [NSManagedObject], into targets: inout ObjectList
    ) throws {
        var open: [ObjectIdentifier: (store: NSPersistentStore, owners: [NSManagedObject])] = [:]
        for owner in owners {
            guard case .toMany(let number) = owner.layout.places[relationship.name] else { continue }
            if let links = owner.toManyLinks(number), links.isLoaded {
                for member in links.objects { targets.append(member) }
            } else if !owner.flags.contains(.temporary), let store = owner.binding.store {
                open[ObjectIdentifier(store), default: (store, [])].owners.append(owner)
            }
        }
        for (store, owners) in open.values {
            let members = try members(of: relationship, owners, in: store)
            for owner in owners {
                guard case .toMany(let number) = owner.layout.places[relationship.name] else { continue }
                for member in owner.takeStoredMembers(members[owner.key] ?? [], number) { targets.append(member) }
            }
        }
    }

    /// The members of each owner by its key, as one store has them.
    private func members(
        of relationship: NSRelationshipDescription, _ owners: [NSManagedObject], in store: NSPersistentStore
    ) throws -> [Int64: [NSManagedObject]] {
        guard let source = store.objects,
            let layout = relationship.entity.flatMap(context.modelLayout.layout(of:))
        else { return [:] }
        let binding = store.binding(for: layout)
        let found = try store.serialized {
            let found = try source.members(of: relationship, owner: binding, keys: owners.map(\.key))
            _ = store.published(.rows(found.rows))
            return found
        }
        var maker = RowMaterializer(context: context, asFaults: true, refreshes: false)
        let objects = maker.objects(for: found.rows, of: store)
        let byKey = Dictionary(objects.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        var members: [Int64: [NSManagedObject]] = [:]
        for pair in found.pairs {
            if let member = byKey[pair.member] { members[pair.owner, default: []].append(member) }
        }
        return members
    }
}

extension NSManagedObject {
    /// The target of a to-one relationship, read off the snapshot and held from now on; fires no fault.
    fileprivate func prefetchedTarget(
        of relationship: NSRelationshipDescription, in context: NSManagedObjectContext
    ) -> NSManagedObject? {
        guard case .toOne(let slot) = layout.places[relationship.name] else { return nil }
        if let working, working.isHeld(slot) {
            guard case .reference(let target) = working.value(slot) else { return nil }
            return target as? NSManagedObject
        }
        guard let slab, let target = context.object(forReferenceIn: slab, row: Int(rowIndex), slot: slot) else {
            return nil
        }
        workingValues().setReference(target, place: WorkingValues.State.cached, slot: slot)
        return target
    }

    /// Makes what the store has the members of a to-many relationship that was not read yet, and gives the members.
    fileprivate func takeStoredMembers(_ members: [NSManagedObject], _ number: Int) -> [NSManagedObject] {
        let links = knownLinks(number)
        // What is to replace members that could not be read is settled when the program next asks for them.
        guard links.replacement == nil else { return members }
        links.load(members)
        return links.objects
    }
}
