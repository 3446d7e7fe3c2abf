import CoreDataStore

/// Resolves conflicts of objects whose records were changed or deleted elsewhere, by one of the built-in policies.
///
/// | | object changed | object changed, record gone | object deleted |
/// |---|---|---|---|
/// | store trump | the store's changes over the object's | the object leaves | the deletion is dropped |
/// | object trump | the object's changes over the store's | written again | deleted |
/// | overwrite | all values of the object | written again | deleted |
/// | rollback | the store's record | the object leaves | the deletion is dropped |
struct LockingResolution {
    private let type: NSMergePolicyType

    init(_ type: NSMergePolicyType) { self.type = type }

    /// Resolves each conflict whose object is still as it was when it was met.
    ///
    /// - Throws: the store's error, for a conflict that a program made and whose record cannot be read.
    func resolve(_ list: [NSMergeConflict]) throws {
        let open = try list.filter(Self.isOpen).map { ($0.sourceObject, try $0.row()) }
        for (object, row) in open { resolve(object, row) }
        // Those that are written again may refer to each other.
        for (object, row) in open where row == nil && object.isInserted { object.releaseGoneTargets() }
    }

    /// A subclass may have refreshed the object before it called `super`.
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
