import CoreDataStore

/// Counting members in a parent for its children. Called on the context's queue.
extension NSManagedObjectContext {
    /// The child's objects whose number of members in this context violates the relationship's limits.
    ///
    /// Relationships that were neither read nor changed here are counted in this context's data source, in one query.
    /// Objects that are deleted here are left out: saving them is a conflict.
    func presentOwnersBreakingCount(
        of relationship: NSRelationshipDescription, among children: [NSManagedObject]
    ) throws -> Set<ObjectIdentifier> {
        var broken: Set<ObjectIdentifier> = []
        var unread: [ObjectIdentifier: ObjectIdentifier] = [:]
        var owners: [NSManagedObject] = []
        for child in children {
            guard let owner = counterpart(of: child), !owner.isDeleted, !owner.flags.contains(.inaccessible),
                case .toMany(let number) = owner.layout.places[relationship.name]
            else { continue }
            let links = owner.toManyLinks(number)
            if dataSource.knows(owner), links.map({ !$0.isLoaded && !$0.hasChanges }) ?? true {
                unread[ObjectIdentifier(owner)] = ObjectIdentifier(child)
                owners.append(owner)
                continue
            }
            readingFailure = nil
            let count = owner.relatedObjects(number).lazy.filter { !$0.isDeleted }.count
            if let readingFailure { throw readingFailure }
            if relationship.refuses(count: count) { broken.insert(ObjectIdentifier(child)) }
        }
        guard !owners.isEmpty else { return broken }
        let found = try dataSource.ownersBreakingCount(of: relationship, among: owners)
        return broken.union(found.compactMap { unread[$0] })
    }
}

/// Members that left their owners without the owners having been read.
extension NSManagedObjectContext {
    /// Whether owners that were not read may have other members here than in the context's source, without being
    /// changed.
    ///
    /// When a member is deleted, or added to another owner, its former owner can change only if the member knows it by
    /// an inverse.
    func mayHaveTakenMembers(of relationship: NSRelationshipDescription) -> Bool {
        let inverse = relationship.inverseRelationship
        guard inverse == nil || inverse?.deleteRule == .noActionDeleteRule,
            let destination = relationship.destinationEntity
        else { return false }
        return pending.contains { object in
            if object.isDeleted { return object.entity.isKindOf(entity: destination) }
            guard inverse == nil, case .toMany(let number) = object.layout.places[relationship.name] else {
                return false
            }
            return object.toManyLinks(number)?.hasChanges == true
        }
    }

    /// Which of some owners have a number of members that the relationship does not allow. Reads all members for that,
    /// with one query per store.
    func readOwnersBreakingCount(
        of relationship: NSRelationshipDescription, among owners: [NSManagedObject]
    ) throws -> Set<ObjectIdentifier> {
        try Prefetching(context: self).prefetch(relationship, of: owners)
        let broken = owners.filter { owner in
            guard case .toMany(let number) = owner.layout.places[relationship.name] else { return false }
            return relationship.refuses(count: owner.relatedObjects(number).count { !$0.isDeleted })
        }
        return Set(broken.map(ObjectIdentifier.init))
    }
}
