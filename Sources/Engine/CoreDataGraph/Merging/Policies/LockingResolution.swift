import CoreDataStore

/// Resolves conflicts of objects whose records were changed or deleted elsewhere, by one of the built-in policies.
///
/// | | object changed | object changed, record gone | object deleted |
/// |---|---|---|---|
/// | store trump | changes are merged; the store's win | the object leaves the context | the deletion is dropped |
/// | object trump | changes are merged; the object's win | the record is inserted again | the record is deleted |
/// | overwrite | all values of the object are written | the record is inserted again | the record is deleted |
/// | rollback | the object's changes are dropped | the object leaves the context | the deletion is dropped |
struct LockingResolution {
    private let type: NSMergePolicyType

    init(_ type: NSMergePolicyType) { self.type = type }

    /// Resolves each conflict whose object is still based on the version that the conflict names.
    ///
    /// - Throws: the store's error, if the record of a conflict that the program made itself cannot be read.
    func resolve(_ list: [NSMergeConflict]) throws {
        let open = try list.filter(Self.isOpen).map { ($0.sourceObject, try $0.row()) }
        for (object, row) in open { resolve(object, row) }
        // Objects that are inserted again may refer to objects whose records were deleted together with theirs.
        for (object, row) in open where row == nil && object.isInserted { object.releaseGoneTargets() }
    }

    /// A subclass of the policy may have refreshed the object before it called `super`: that resolves the conflict.
    private static func isOpen(_ conflict: NSMergeConflict) -> Bool {
        let object = conflict.sourceObject
        return object.registry != nil && object.flags.isDisjoint(with: [.fault, .inaccessible])
            && Int(object.snapshotVersion) == conflict.oldVersionNumber
    }

    private func resolve(_ object: NSManagedObject, _ row: RowSnapshot?) {
        guard let row = row.flatMap(object.fitted) else { return resolveGone(object) }
        guard object.isDeleted else { return RowConflictMerge(object, row: row, type: type).run() }
        if prefersStore { object.dropDeletion(row) } else { object.rebaseDeletion(row) }
    }

    private func resolveGone(_ object: NSManagedObject) {
        guard !object.isDeleted else { return }
        let isKept =
            type == .overwriteMergePolicyType
            || type == .mergeByPropertyObjectTrumpMergePolicyType && object.hasPersistentChangedValues
        if isKept { object.writeAgain() } else { object.leaveAsGone() }
    }

    private var prefersStore: Bool {
        type == .mergeByPropertyStoreTrumpMergePolicyType || type == .rollbackMergePolicyType
    }
}
