import CoreDataModeling

extension NSManagedObjectContext {
    /// Follows the delete rules of all deleted objects, and of those that are deleted because of them, without recursion.
    ///
    /// Where an object or members cannot be read it stops; what is left is followed the next time.
    /// - Returns: why they could not be read.
    @discardableResult
    func propagateDeletions() -> (any Error)? {
        readingFailure = nil
        var open = pending.filter { $0.isDeleted && !$0.flags.contains(.deletionPropagated) }
        while let object = open.popLast() {
            guard object.flags.insert(.deletionPropagated).inserted else { continue }
            for relationship in object.layout.ruledByDeletion {
                let targets = object.targets(of: relationship)
                if relationship.deleteRule == .cascadeDeleteRule { readTogether(targets) }
                for target in targets where target !== object {
                    follow(relationship, from: object, to: target, &open)
                }
            }
            if let readingFailure {
                object.flags.remove(.deletionPropagated)
                return readingFailure
            }
        }
        return nil
    }

    /// Reads the rows of objects that are still to be read, many with one question.
    ///
    /// What cannot be read is left to be asked for, and reported, one by one.
    private func readTogether(_ objects: [NSManagedObject]) {
        let faults = objects.filter { $0.isFault && $0.flags.isDisjoint(with: [.temporary, .inaccessible, .left]) }
        guard faults.count > 1 else { return }
        for (_, group) in Dictionary(grouping: faults, by: { $0.binding.table }) {
            guard let binding = group.first?.binding, let store = binding.store else { continue }
            let unread = group.filter { store.rowCache.row(root: $0.layout.root, key: $0.key) == nil }
            for start in stride(from: 0, to: unread.count, by: RowSlab.mostRows) {
                let keys = unread[start..<min(start + RowSlab.mostRows, unread.count)].map(\.key)
                guard let runs = try? store.rows(binding, keys: keys) else { return }
                give(runs, of: binding)
            }
        }
    }

    /// Makes rows that were read those of the objects which wait for them.
    private func give(_ runs: [RowRun], of binding: EntityBinding) {
        for run in runs {
            for index in run.range {
                guard let object = registry.object(table: binding.table, key: run.slab.key(index)), object.isFault
                else { continue }
                guard object.working == nil, object.adopt(run.slab, index) else { continue }
                object.flags.remove(.fault)
                FaultResolver.awake(object)
            }
        }
    }

    private func follow(
        _ relationship: NSRelationshipDescription, from object: NSManagedObject, to target: NSManagedObject,
        _ open: inout [NSManagedObject]
    ) {
        switch relationship.deleteRule {
        case .cascadeDeleteRule:
            target.fireFaultIfNeeded()
            guard !target.isDeleted, target.flags.isDisjoint(with: [.fault, .inaccessible]),
                target.announceDeletion()
            else { return }
            registry.journal.noteDeletion(target)
            target.flags.insert(.deleted)
            objectChanged(target)
            target.tellTrackersOfDeletion()
            open.append(target)
        case .nullifyDeleteRule:
            guard let inverse = relationship.inverseRelationship, !target.flags.contains(.deleted) else { return }
            target.detach(object, from: inverse)
        case .denyDeleteRule, .noActionDeleteRule: return
        }
    }
}

extension NSManagedObject {
    /// The objects at the other end of a relationship.
    func targets(of relationship: NSRelationshipDescription) -> [NSManagedObject] {
        switch layout.places[relationship.name] {
        case .toOne(let slot): relatedObject(slot).map { [$0] } ?? []
        case .toMany(let number): Array(relatedObjects(number))
        default: []
        }
    }
}
