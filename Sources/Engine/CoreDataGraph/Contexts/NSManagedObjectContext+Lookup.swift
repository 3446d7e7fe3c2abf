import CoreDataStore

/// Finding objects by their identifiers.
extension NSManagedObjectContext {
    /// The value of `registeredObject(for:)`.
    func knownObject(_ objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueue("registeredObject(for:)")
        guard let binding = localBinding(of: objectID) else { return nil }
        return registry.object(table: binding.table, key: objectID.key)
    }

    func knownOrFault(_ objectID: NSManagedObjectID) -> NSManagedObject {
        if let known = knownObject(objectID) { return known }
        guard let binding = localBinding(of: objectID) else {
            stop("The store of \(objectID) is not among those of the context's coordinator.")
        }
        if objectID.isTemporaryID {
            let object = makeFault(temporaryBinding(binding.layout), key: objectID.key, isTemporary: true)
            if parent == nil { object.slab = binding.blankRow }
            return object
        }
        guard objectID.namesAncestor else { return makeFault(binding, key: objectID.key, isTemporary: false) }
        // A fault has the class of the record's own entity, and no second object of another class may exist: reads the
        // entity.
        return object(at: RowAddress(binding: actualBinding(binding, key: objectID.key), key: objectID.key))
    }

    func knownOrRead(_ objectID: NSManagedObjectID) throws -> NSManagedObject {
        if let known = knownObject(objectID) {
            if known.flags.isDisjoint(with: [.fault, .inaccessible]) { return known }
            if !objectID.isTemporaryID { return try filled(known) }
        }
        guard !objectID.isTemporaryID || parent != nil else { throw CoreDataError.temporaryIdentifier(objectID) }
        // The record may be of a sub-entity of the identifier's entity; its row says which.
        guard let binding = localBinding(of: objectID), let row = try dataSource.row(binding, key: objectID.key),
            row.slab.layout.entity.isKindOf(entity: binding.layout.entity)
        else { throw CoreDataError.missingRecord(objectID) }
        return try filled(object(at: RowAddress(binding: localBinding(row.slab.binding), key: row.key)))
    }

    private func filled(_ object: NSManagedObject) throws -> NSManagedObject {
        object.flags.insert(.fault)
        guard try FaultResolver.fill(object) else { throw CoreDataError.missingRecord(object.objectID) }
        FaultResolver.awake(object)
        return object
    }

    /// The value of `registeredObjects`.
    var knownObjects: Set<NSManagedObject> {
        checkQueue("registeredObjects")
        return Set(registry.allObjects())
    }
}
