import CoreDataStore

/// To-many relationships without an inverse. A store keeps one owner of each member: the last one that added it.
///
/// The context shows the same, without reading the members of owners that have not been read.
extension NSManagedObject {
    /// Removes a new member from its former owner, if that is known in the context.
    func takeFromFormerOwner(_ member: NSManagedObject, _ number: Int) {
        guard let registry else { return }
        let relationship = layout.toMany[number]
        let former = registry.liveSets.owner(of: member, relationship)
        registry.liveSets.setOwner(self, of: member, relationship)
        guard let former, former !== self, let place = former.placeOfKnownMember(member, relationship) else { return }
        _ = former.removeMember(member, place)
    }

    /// Returns the stored members without those that were since added to another owner in this context; records this
    /// object as the owner of the rest.
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

    /// Returns the number of a relationship in this object's layout if the object is known to have the member.
    private func placeOfKnownMember(_ member: NSManagedObject, _ relationship: NSRelationshipDescription) -> Int? {
        guard case .toMany(let number) = layout.places[relationship.name],
            toManyLinks(number)?.contains(member) == true
        else { return nil }
        return number
    }
}
