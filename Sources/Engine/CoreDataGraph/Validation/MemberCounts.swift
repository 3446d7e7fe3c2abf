import CoreDataStore

extension MemberCounts {
    /// Finds the objects whose relationships have too few or too many members in the store, before validation.
    ///
    /// A save runs one query for each store and relationship, whatever the number of objects. The query returns only
    /// the owners that break the limit; members are not read. There is no query for relationships without a limit.
    ///
    /// - Throws: the error of a store that cannot be read.
    init(of objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        var owners: [ObjectIdentifier: (relationship: NSRelationshipDescription, objects: [NSManagedObject])] = [:]
        for object in objects {
            for (relationship, check) in object.layout.validation.countedRelationships where !check.isKnown(in: object)
            {
                owners[ObjectIdentifier(relationship), default: (relationship, [])].objects.append(object)
            }
        }
        self.init(
            breaking: try owners.mapValues { relationship, objects in
                try context.dataSource.ownersBreakingCount(of: relationship, among: objects)
            })
    }
}

extension NSManagedObject {
    /// Whether the store has too few or too many members of a relationship that the object has not read.
    func breaksCount(of relationship: NSRelationshipDescription) throws -> Bool {
        guard let context = registry?.context else { return false }
        let counts = try context.memberCounts ?? MemberCounts(of: [self], in: context)
        return counts.contains(self, relationship)
    }
}
