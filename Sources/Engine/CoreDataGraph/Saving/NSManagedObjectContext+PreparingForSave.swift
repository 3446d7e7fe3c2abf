import CoreDataStore

/// Preparation of changed objects for a save.
///
/// Each pass deletes owned objects without an owner, applies the delete rules, notifies observers, and calls
/// `willSave`: the first pass on every changed object, later passes on those that changed since. When a pass changes
/// nothing, all changed objects are validated. If a validation rule changes a value, another pass follows.
extension NSManagedObjectContext {
    /// A save throws an error if objects still change after so many passes; Apple's framework has a similar limit.
    package static let savePreparationLimit = 100

    /// Returns the objects to be written, after nothing changes any more and all are valid.
    ///
    /// - Throws: validation errors; an error of code `NSCoreDataError` that names an object which changes in every
    ///   pass; 132001 for a save within a save; the store's error if reading fails. Corrections that validation rules
    ///   made until then remain.
    func prepareForSave() throws -> [NSManagedObject] {
        guard !isPreparingSave else { throw CoreDataError.recursiveSave() }
        isPreparingSave = true
        defer { isPreparingSave = false }
        for pass in 0..<Self.savePreparationLimit {
            try savePreparationPass(isFirst: pass == 0)
            guard unannounced.isEmpty else { continue }
            let changed = pending.changed
            if validatesOnSave { try validate(changed) }
            if unannounced.isEmpty { return changed }
        }
        throw CoreDataError.endlessSavePreparation(unannounced[0], passes: Self.savePreparationLimit)
    }

    /// Deletes objects that have lost their owner, applies the delete rules, notifies observers, and calls `willSave`.
    ///
    /// The first pass calls `willSave` on all changed objects, a later pass on those changed since the previous one;
    /// both include objects that the delete rules changed.
    private func savePreparationPass(isFirst: Bool) throws {
        deleteDisowned()
        if let failure = propagateDeletions() { throw failure }
        try readUnreadChanges()
        // `unannounced` lacks the objects whose changes were announced before the save.
        let open = isFirst ? pending : unannounced
        announceChanges()
        forgetCancelledInsertions()
        for object in open where calls(.willSave, on: object) && object.registry === registry && object.isChanged {
            object.willSave()
        }
    }

    /// Reads objects and relationships that were changed while the store could not be read, so that the save does not
    /// overwrite values that were never read.
    private func readUnreadChanges() throws {
        var next = 0
        // Reading can change further objects, which are appended to `pending`.
        while next < pending.count {
            if pending[next].mayHaveUnreadChanges { try pending[next].readUnreadChanges() }
            next += 1
        }
    }

    /// Validates new objects, then changed ones, then deleted ones, each in the order of their first changes.
    ///
    /// A changed object whose record is known to be deleted is skipped; it is validated after a merge policy has
    /// resolved its conflict.
    func validate(_ changed: [NSManagedObject]) throws {
        let sets = ChangeSets(changed)
        var list = FailureList()
        // An object that is still a fault has no record: the save will report the conflict.
        let updated = sets.updated.filter { $0.flags.isDisjoint(with: [.fault, .inaccessible]) }
        memberCounts = try MemberCounts(of: updated, in: self)
        defer { memberCounts = nil }
        for object in sets.inserted where validates(object, by: .validateForInsert) {
            list.collect { try checking(object, object.validateForInsert) }
        }
        for object in updated where validates(object, by: .validateForUpdate) {
            list.collect { try checking(object, object.validateForUpdate) }
        }
        for object in sets.deleted where validates(object, by: .validateForDelete) {
            list.collect(object.validateForDelete)
        }
        try list.throwAny()
    }

    private func checking(_ object: NSManagedObject, _ check: () throws -> Void) throws {
        guard allowsAbsentMembers else { return try check() }
        try AbsentMembers.passingOver(in: object.entity, check)
    }

    /// Whether validating an object can find a broken rule.
    @inline(__always) private func validates(_ object: NSManagedObject, by hook: ObjectHooks) -> Bool {
        calls(hook, on: object) || object.flags.contains(.exceeding)
    }
}

extension NSManagedObjectContext {
    /// Whether a fetch or save must call a method on an object.
    @inline(__always) func calls(_ hook: ObjectHooks, on object: NSManagedObject) -> Bool {
        registry.calls(hook, of: object.layout)
    }
}

extension [NSManagedObject] {
    /// The objects that are marked as inserted, updated or deleted; usually all of them.
    var changed: [NSManagedObject] { allSatisfy(\.isChanged) ? self : filter(\.isChanged) }
}

extension CoreDataError {
    /// The error for an object that `willSave`, a validation rule or an observer changes in every pass of a save.
    static func endlessSavePreparation(_ object: NSManagedObject, passes: Int) -> NSError {
        let keys = object.changedValues().keys.sorted().joined(separator: ", ")
        return make(
            NSCoreDataError,
            "Failed to process pending changes before save. The context is still dirty after \(passes) attempts: "
                + "an object of entity '\(object.entity.name ?? "")' goes on changing.",
            reason:
                "A validation method, willSave or an observer changes \(object.objectID) each time (changed: \(keys)).",
            hint:
                "Change a value only where it is to be another one, or change it through setPrimitiveValue(_:forKey:).",
            userInfo: [NSValidationObjectErrorKey: object, NSAffectedObjectsErrorKey: [object]])
    }

    /// The error for a save that begins while another one of the same context calls `willSave` or validates.
    static func recursiveSave() -> NSError {
        make(
            132001, "Attempt to recursively call save() on the context aborted.",
            hint: "Do not save in willSave, in a validation method, or in an observer of the save.")
    }
}
