import CoreDataStore

extension NSManagedObjectContext {
    /// Follows the delete rules of all deleted objects, and of those that are deleted because of them, without recursion.
    ///
    /// Where an object or members cannot be read it stops; what is left is followed the next time.
    /// - Returns: why they could not be read.
    @discardableResult
    func propagateDeletions() -> (any Error)? {
        readingFailure = nil
        var open = pending.filter { $0.isMarkedDeleted && !$0.flags.contains(.deletionPropagated) }
        while let object = open.popLast() {
            guard object.flags.insert(.deletionPropagated).inserted else { continue }
            for relationship in object.layout.ruledByDeletion {
                let targets = object.targets(of: relationship)
                // Objects that cannot be read together are read, and reported, one by one.
                if relationship.deleteRule == .cascadeDeleteRule, targets.count > 1 { try? readRows(of: targets) }
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
            target.notifyTrackersOfDeletion()
            open.append(target)
        case .nullifyDeleteRule:
            guard let inverse = relationship.inverseRelationship, !target.flags.contains(.deleted) else { return }
            // One that has released it already must not seem changed by releasing what its store never had.
            guard !inverse.isToMany || object.inverseContains(target, relationship) else { return }
            target.detach(object, from: inverse)
        case .denyDeleteRule, .noActionDeleteRule: return
        }
    }
}
