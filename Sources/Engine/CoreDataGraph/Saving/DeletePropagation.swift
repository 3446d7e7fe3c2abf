import CoreDataStore

extension NSManagedObjectContext {
    /// Applies the delete rules of all deleted objects, and of the objects deleted by that, without recursion.
    ///
    /// If an object or the members of a relationship cannot be read, it stops; the next call applies the remaining
    /// rules.
    /// - Returns: the error of reading, or nil.
    @discardableResult
    func propagateDeletions() -> (any Error)? {
        readingFailure = nil
        var open = pending.filter { $0.isMarkedDeleted && !$0.flags.contains(.deletionPropagated) }
        while let object = open.popLast() {
            guard object.flags.insert(.deletionPropagated).inserted else { continue }
            for relationship in object.layout.ruledByDeletion {
                let targets = object.targets(of: relationship)
                // If the targets cannot be read together, each is read separately later, which reports the error.
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
            // A target that no longer refers to the object must not count as changed, as removing a member that the
            // store lacks would make it.
            guard !inverse.isToMany || object.inverseContains(target, relationship) else { return }
            target.detach(object, from: inverse)
        case .denyDeleteRule, .noActionDeleteRule: return
        }
    }
}
