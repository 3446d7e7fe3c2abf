import CoreDataStore

/// Restores, when a merge policy drops a deletion, the references that the delete rules removed from other objects.
/// Objects that the delete rules deleted stay deleted.
extension NSManagedObject {
    /// The committed members of each to-many relationship of a deleted object, which the delete rules followed.
    ///
    /// If a merge has discarded the loaded members, they are read again.
    func membersFoundByDeletion() -> [[NSManagedObject]] {
        layout.toMany.indices.map { loadedLinks($0).committed ?? [] }
    }

    /// Makes the to-one targets, and the given members of each to-many relationship, refer to this object again.
    func giveBack(_ members: [[NSManagedObject]]) {
        for slot in toOneSlots {
            guard case .toOne(let relationship) = layout.slots[slot].content else { continue }
            relatedObject(slot)?.regain(self, relationship.inverseRelationship)
        }
        for (number, members) in members.enumerated() {
            for member in members { member.regain(self, layout.toMany[number].inverseRelationship) }
        }
    }

    /// Refers to `source` again if the delete rules removed it, without a change of the other side.
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
