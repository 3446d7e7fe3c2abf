import CoreDataStore

/// To-many relationships without inverse, for which a store keeps one owner of each member: the last that took it.
///
/// The context shows the same, without asking for the members of owners that have not been read.
extension NSManagedObject {
    /// Takes a new member out of the members of the owner that had it, as far as that is known here.
    func takeFromFormerOwner(_ member: NSManagedObject, _ number: Int) {
        guard let registry else { return }
        let relationship = layout.toMany[number]
        let former = registry.liveSets.owner(of: member, relationship)
        registry.liveSets.setOwner(self, of: member, relationship)
        guard let former, former !== self, let place = former.placeOfKnownMember(member, relationship) else { return }
        _ = former.removeMember(member, place)
    }

    /// The members that a store has, without those that another owner took since; notes whose the rest are.
    func excludingMembersOfOthers(_ members: [NSManagedObject], _ number: Int) -> [NSManagedObject] {
        let relationship = layout.toMany[number]
        guard relationship.inverseRelationship == nil, let registry else { return members }
        return members.filter { member in
            if let other = registry.liveSets.owner(of: member, relationship), other !== self,
                let place = other.placeOfKnownMember(member, relationship),
                other.toManyLinks(place)?.added.contains(member) == true
            {
                return false
            }
            registry.liveSets.setOwner(self, of: member, relationship)
            return true
        }
    }

    /// The number of a relationship of this object if it is known to have a member.
    private func placeOfKnownMember(_ member: NSManagedObject, _ relationship: NSRelationshipDescription) -> Int? {
        guard case .toMany(let number) = layout.places[relationship.name],
            toManyLinks(number)?.contains(member) == true
        else { return nil }
        return number
    }
}
