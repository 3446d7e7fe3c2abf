import CoreDataStore

/// Restores the references that the delete rules removed from other objects when a deletion is dropped; objects that they
/// deleted stay deleted.
extension NSManagedObject {
    /// The members of each to-many relationship of a deleted object, as they were when the delete rules found them.
    ///
    /// A merge may have made the object forget them; they are read again then.
    func membersFoundByDeletion() -> [[NSManagedObject]] {
        layout.toMany.indices.map { loadedLinks($0).committed ?? [] }
    }

    /// Makes the targets of to-one relationships, and the given members of each to-many one, hold this object again.
    func giveBack(_ members: [[NSManagedObject]]) {
        for slot in toOneSlots {
            guard case .toOne(let relationship) = layout.slots[slot].content else { continue }
            relatedObject(slot)?.regain(self, relationship.inverseRelationship)
        }
        for (number, members) in members.enumerated() {
            for member in members { member.regain(self, layout.toMany[number].inverseRelationship) }
        }
    }

    /// Holds an object again that the delete rules had taken away, on this side alone.
    private func regain(_ source: NSManagedObject, _ relationship: NSRelationshipDescription?) {
        guard registry === source.registry, !isDeleted else { return }
        switch place(of: relationship) {
        case .toOne(let slot):
            guard working?.isChanged(slot) == true, relatedObject(slot) == nil else { return }
            setTarget(source, slot)
        case .toMany(let number):
            guard let links = toManyLinks(number), links.removed.contains(source) else { return }
            willChange(.addition(source, number))
            links.dropChange(of: source)
            links.display?.show(links.objects)
            didChange(.addition(source, number))
        default: return
        }
        forgetEqualValues()
    }
}
