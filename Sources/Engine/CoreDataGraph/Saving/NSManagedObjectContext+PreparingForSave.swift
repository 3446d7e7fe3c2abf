import CoreDataStore

/// What happens to changes before they are written.
///
/// In each pass owned objects without owner are deleted, the delete rules are followed, observers are
/// notified, and `willSave` is called: in the first pass on every changed object, in later ones on those that changed since.
/// When nothing changes any more, all objects are validated; a correction by a rule is a change, and leads to another pass.
extension NSManagedObjectContext {
    /// A save throws an error if objects still change after so many passes; Apple's framework has a similar limit.
    package static let savePreparationLimit = 100

    /// Gives the objects to be written, once nothing changes any more and every rule is kept.
    ///
    /// - Throws: the broken rules; an error of code `NSCoreDataError` that names an object which keeps changing; 132001 for a save
    ///   within a save; what reading the store throws. Corrections that rules made until then stay.
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

    /// Deletes objects that have lost their owner, follows the delete rules, notifies observers, and calls `willSave`.
    ///
    /// The first pass calls `willSave` on all changed objects, a later pass on those changed since the previous one;
    /// both include objects that the delete rules changed.
    private func savePreparationPass(isFirst: Bool) throws {
        deleteDisowned()
        if let failure = propagateDeletions() { throw failure }
        try readUnreadChanges()
        // What was changed and announced before the save is to be saved too.
        let open = isFirst ? pending : unannounced
        announceChanges()
        forgetCancelledInsertions()
        for object in open where calls(.willSave, on: object) && object.registry === registry && object.isChanged {
            object.willSave()
        }
    }

    /// Reads what was changed while the store could not be read, so that nothing is written over unseen values.
    private func readUnreadChanges() throws {
        var next = 0
        // What is read can change further objects, which come behind.
        while next < pending.count {
            if pending[next].mayHaveUnreadChanges { try pending[next].readUnreadChanges() }
            next += 1
        }
    }

    /// Validates new objects, then changed ones, then deleted ones, each in the order of their first changes.
    ///
    /// A changed object whose record is known to be gone is skipped; it is validated after a merge policy has resolved it.
    func validate(_ changed: [NSManagedObject]) throws {
        let sets = ChangeSets(changed)
        var list = FailureList()
        // Of what is a fault even now the record is gone: no rule is broken, the save will find the conflict.
        let updated = sets.updated.filter { $0.flags.isDisjoint(with: [.fault, .inaccessible]) }
        memberCounts = try MemberCounts(of: updated, in: self)
        defer { memberCounts = nil }
        for object in sets.inserted where validates(object, by: .validateForInsert) {
            list.collect(object.validateForInsert)
        }
        for object in updated where validates(object, by: .validateForUpdate) {
            list.collect(object.validateForUpdate)
        }
        for object in sets.deleted where validates(object, by: .validateForDelete) {
            list.collect(object.validateForDelete)
        }
        try list.throwAny()
    }

    /// Whether validating an object can find a broken rule.
    @inline(__always) private func validates(_ object: NSManagedObject, by hook: ObjectHooks) -> Bool {
        calls(hook, on: object) || object.flags.contains(.exceeding)
    }
}

extension NSManagedObjectContext {
    /// Whether a method of a fetch or save is to be called on an object.
    @inline(__always) func calls(_ hook: ObjectHooks, on object: NSManagedObject) -> Bool {
        registry.hasOtherClasses || object.layout.hooks.contains(hook)
    }
}

extension [NSManagedObject] {
    /// Those that are to be inserted, updated or deleted; mostly that is all of them.
    var changed: [NSManagedObject] { allSatisfy(\.isChanged) ? self : filter(\.isChanged) }
}

extension CoreDataError {
    /// An object that `willSave`, a rule or an observer changes in every pass of a save.
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
