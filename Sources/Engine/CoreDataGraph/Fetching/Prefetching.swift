import CSwiftRuntime
import CoreDataStore

/// Reads a relationship of many objects, and the rows of its targets, with one query for each.
///
/// A prefetched relationship retains its objects until the owner is refreshed, like a relationship that was read. No
/// fault fires: owners and targets stay faults, and a fault that fires later has its row already.
struct Prefetching {
    let context: NSManagedObjectContext

    /// Prefetches the relationships of a plan for fetched objects.
    ///
    /// - Throws: the error of a store that cannot be read.
    func run(_ plan: PrefetchPlan, for objects: [NSManagedObject]) throws {
        var reached: [[NSManagedObject]] = []
        for step in plan.steps {
            let owners = step.parent.map { reached[$0] } ?? objects
            reached.append(try prefetch(step.relationship, of: owners))
        }
    }

    /// Prefetches one relationship and returns its targets, each once.
    @discardableResult func prefetch(
        _ relationship: NSRelationshipDescription, of owners: [NSManagedObject]
    ) throws -> [NSManagedObject] {
        let start = coredata_instruments_start()
        let targets: [NSManagedObject]
        let usable = owners.filter { $0.flags.isDisjoint(with: .inaccessible) && $0.registry === context.registry }
        if relationship.isToMany {
            targets = try members(of: relationship, of: usable)
        } else {
            targets = ObjectList(usable.compactMap { $0.prefetchedTarget(of: relationship, in: context) }).objects
        }
        try context.readRows(of: targets)
        if start != 0 {
            context.recordMembers(.prefetch, relationship, of: usable.first, rows: targets.count, since: start)
        }
        return targets
    }

    private func members(
        of relationship: NSRelationshipDescription, of owners: [NSManagedObject]
    ) throws -> [NSManagedObject] {
        var targets: [NSManagedObject] = []
        var open: [NSManagedObject] = []
        for owner in owners {
            guard case .toMany(let number) = owner.layout.places[relationship.name] else { continue }
            if let links = owner.toManyLinks(number), links.isLoaded {
                targets.append(contentsOf: links.objects)
            } else if context.dataSource.knows(owner) {
                open.append(owner)
            }
        }
        guard !open.isEmpty else { return ObjectList(targets).objects }
        // A member of one owner only comes once, unless an owner was read before and the member has moved in the store since.
        let areDistinct = targets.isEmpty && relationship.inverseRelationship?.isToMany == false
        let members = try context.dataSource.members(of: relationship, owners: open)
        for owner in open {
            guard case .toMany(let number) = owner.layout.places[relationship.name],
                let found = members[ObjectIdentifier(owner)]
            else { continue }
            targets.append(contentsOf: owner.takeStoredMembers(found, number))
        }
        return areDistinct ? targets : ObjectList(targets).objects
    }
}

extension NSManagedObject {
    /// The target of a to-one relationship, found in the owner's row; the owner then retains it. Fires no fault.
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

    /// Sets the members that the store has in a to-many relationship that was not read yet, and returns the members.
    fileprivate func takeStoredMembers(_ members: [NSManagedObject], _ number: Int) -> [NSManagedObject] {
        let links = knownLinks(number)
        // If unread members are to be replaced, the replacement is applied when the program next reads the
        // relationship.
        guard links.replacement == nil else { return members }
        links.load(excludingMembersOfOthers(members, number))
        return links.objects
    }
}

extension NSManagedObjectContext {
    /// Reads the rows of the faults that were made together with a fault that is about to fire, including its own.
    func readAhead(of object: NSManagedObject) throws {
        let neighbours = faultBatches.neighbours(table: object.binding.table, key: object.key)
        guard neighbours.addresses.count > 1 || neighbours.prefetch != nil else { return }
        let objects = neighbours.addresses.compactMap { registry.object(table: $0.binding.table, key: $0.key) }
        try readRows(of: objects)
        if let plan = neighbours.prefetch { try Prefetching(context: self).run(plan, for: objects) }
    }
}
