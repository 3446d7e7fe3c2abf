import CoreDataStore

extension SavedChanges {
    /// What a save wrote, of objects that are still marked with it.
    init(_ sets: ChangeSets) {
        inserted = Self.identifiers(of: sets.inserted)
        updated = Self.identifiers(of: sets.updated)
        deleted = Self.identifiers(of: sets.deleted)
    }

    /// The identifiers, which are not cached in the objects, since most changed objects are never asked for theirs.
    private static func identifiers(of objects: [NSManagedObject]) -> [NSManagedObjectID] {
        var identifiers: [NSManagedObjectID] = []
        identifiers.reserveCapacity(objects.count)
        for object in objects { identifiers.append(object.passingIdentifier(after: identifiers.last)) }
        return identifiers
    }
}

extension NSManagedObject {
    /// The identifier; that of the object before it mostly is one of the same entity and store.
    fileprivate func passingIdentifier(after former: NSManagedObjectID?) -> NSManagedObjectID {
        let known = Self.identifiers.withLock(of: self) { isIdentified ? $0[ObjectIdentifier(self)] : nil }
        if let known { return known }
        let binding = binding
        if let former, former.binding === binding { return NSManagedObjectID(sibling: former, key: key) }
        return RowAddress(binding: binding, key: key).objectID
    }
}
