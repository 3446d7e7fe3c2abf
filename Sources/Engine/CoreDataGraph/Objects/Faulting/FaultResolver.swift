import CoreDataStore

/// Fires faults.
enum FaultResolver {
    /// Fills one fault from the row cache or the store.
    ///
    /// If the record was deleted, or its store removed, the object becomes inaccessible: its values are nil, it counts
    /// as deleted unless the context's `shouldHandleInaccessibleFault` returns false, and the context's error handler
    /// receives an error (`NSManagedObjectReferentialIntegrityError`). If the store cannot be read, the error handler
    /// receives the reason, the values of this one access are nil, and the object stays a fault.
    static func fire(_ object: NSManagedObject, triggeredBy property: NSPropertyDescription? = nil) {
        if object.flags.contains(.guarded) { object.checkQueue("the fault") }
        if let error = object.unusableReason { return becomeInaccessible(object, property, error: error) }
        if object.flags.contains(.inserted) { return object.takeDefaultValues() }
        do {
            if try fill(object) { return awake(object) }
            becomeInaccessible(object, property, error: CoreDataError.missingRecord(object.objectID))
        } catch {
            guard object.binding.store != nil else { return becomeInaccessible(object, property, error: error) }
            object.slab = nil
            object.registry?.context?.readingFailure = error
            report(error, object)
        }
    }

    /// Fills one fault; returns false if its record was deleted.
    ///
    /// Throws the store's error.
    static func fill(_ object: NSManagedObject) throws -> Bool {
        guard object.flags.contains(.fault) else { return true }
        if object.flags.contains(.inserted) {
            object.takeDefaultValues()
            return true
        }
        let found =
            if let context = object.registry?.context {
                try context.dataSource.rowOfFault(object)
            } else {
                try object.binding.store?.anyRow(object.binding, key: object.key)
            }
        guard let row = found else { return false }
        guard object.adoptAsFault(row.slab, row.index) else { return false }
        object.flags.subtract(ObjectFlags.gone.union(.fault))
        if object.working != nil { object.releaseFormerTargets() }
        return true
    }

    /// Calls `awakeFromFetch` with change tracking off, where the object's class overrides it.
    static func awake(_ object: NSManagedObject) {
        guard object.registry?.calls(.awakeFromFetch, of: object.layout) != false else { return }
        object.flags.insert(.awaking)
        object.awakeFromFetch()
        object.flags.remove(.awaking)
    }

    private static func becomeInaccessible(
        _ object: NSManagedObject, _ property: NSPropertyDescription?, error: any Error
    ) {
        object.flags.remove(.fault)
        object.flags.insert(.inaccessible)
        if let context = object.registry?.context,
            context.shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: property)
        {
            object.flags.insert(.countsAsDeleted)
        }
        object.slab = object.binding.blankRow
        object.rowIndex = 0
        report(error, object)
    }

    private static func report(_ error: any Error, _ object: NSManagedObject) {
        guard let registry = object.registry else {
            return CoreDataLogging.report(.error, error.localizedDescription)
        }
        registry.context?.report(error, for: object)
    }
}
