import CoreDataStore

extension SavedChanges {
    /// Collects the identifiers of saved objects, whose flags must still mark them as inserted, updated or deleted.
    init(_ sets: ChangeSets) {
        inserted = Self.identifiers(of: sets.inserted)
        updated = Self.identifiers(of: sets.updated)
        deleted = Self.identifiers(of: sets.deleted)
    }

    /// Returns the objects' identifiers without caching them in the objects, since most are never requested again.
    private static func identifiers(of objects: [NSManagedObject]) -> [NSManagedObjectID] {
        var identifiers: [NSManagedObjectID] = []
        identifiers.reserveCapacity(objects.count)
        for object in objects { identifiers.append(object.passingIdentifier(after: identifiers.last)) }
        return identifiers
    }
}

extension NSManagedObject {
    /// The object's identifier; a new one shares the data of `former` if that has the same entity and store.
    fileprivate func passingIdentifier(after former: NSManagedObjectID?) -> NSManagedObjectID {
        let known = Self.identifiers.withLock(of: self) { isIdentified ? $0[ObjectIdentifier(self)] : nil }
        if let known { return known }
        let binding = binding
        if let former, former.binding === binding { return NSManagedObjectID(sibling: former, key: key) }
        return RowAddress(binding: binding, key: key).objectID
    }
}
