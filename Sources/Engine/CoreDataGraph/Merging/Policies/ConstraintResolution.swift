import CoreDataStore

/// Resolves conflicts of objects with the same values of a uniqueness constraint in one pass, by a built-in policy.
///
/// | | new object against a record | changed object against a record | several new objects |
/// |---|---|---|---|
/// | store trump | the record is unchanged | the constraint's values are the committed ones again | the first stays |
/// | object trump | the record takes the values that were set | the record is deleted | the last stays |
/// | overwrite | the record takes all values | the record is deleted | the last stays |
/// | rollback | the record is unchanged | all changes of the object are dropped | the first stays |
///
/// New objects that do not stay are deleted. Except with rollback, the members that were added to their to-many
/// relationships move to the object that stays. If changed and new objects conflict, a changed one stays.
struct ConstraintResolution {
    private let type: NSMergePolicyType

    init(_ type: NSMergePolicyType) { self.type = type }

    func resolve(_ list: [NSConstraintConflict]) {
        for conflict in list {
            // The resolution of an earlier conflict may have removed an object, and so have freed the values.
            let open = conflict.conflictingObjects.filter { $0.registry != nil && !$0.isDeleted }
            guard let context = open.first?.registry?.context else { continue }
            if let record = conflict.databaseObject, record.registry === context.registry {
                guard !record.isDeleted else { continue }
                resolve(open, against: record, conflict)
            } else if conflict.databaseObject == nil, open.count > 1 {
                resolve(rivals: open, conflict.constraint)
            }
        }
    }

    // MARK: The objects that stay

    private func resolve(
        _ objects: [NSManagedObject], against record: NSManagedObject, _ conflict: NSConstraintConflict
    ) {
        if let row = conflict.databaseRow { record.takeNewerRow(row) }
        record.fireFaultIfNeeded()
        guard record.flags.isDisjoint(with: [.fault, .inaccessible]) else { return }
        let changed = objects.filter { !$0.isInserted }
        guard prefersMemory, let heir = changed.last else {
            for object in changed { giveBack(conflict.constraint, of: object) }
            return absorb(objects.filter(\.isInserted), into: record)
        }
        for object in changed.dropLast() + [record] { object.registry?.context?.delete(object) }
        absorb(objects.filter(\.isInserted), into: heir)
    }

    /// Resolves a conflict between objects of the context alone: one of them keeps the values.
    private func resolve(rivals: [NSManagedObject], _ constraint: [String]) {
        let changed = rivals.filter { !$0.isInserted }
        guard let stays = changed.isEmpty ? newStaying(rivals) : changedStaying(changed, constraint) else { return }
        for object in changed where object !== stays {
            if prefersMemory { object.registry?.context?.delete(object) } else { giveBack(constraint, of: object) }
        }
        let leaving = rivals.filter { $0.isInserted && $0 !== stays }
        guard stays.isInserted else { return absorb(leaving, into: stays) }
        for object in leaving { leave(object, takesMembers: stays) }
    }

    private func newStaying(_ rivals: [NSManagedObject]) -> NSManagedObject? {
        prefersMemory ? rivals.last : rivals.first
    }

    /// One of the changed objects may have had the values when it was read: its constraint's properties are unchanged.
    private func changedStaying(_ changed: [NSManagedObject], _ constraint: [String]) -> NSManagedObject? {
        let owner = changed.first { !$0.hasChanged(constraint) }
        guard prefersMemory else { return owner ?? changed.first }
        return changed.last { $0 !== owner } ?? owner
    }

    private var prefersMemory: Bool {
        type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    }

    // MARK: What becomes of the others

    private func absorb(_ objects: [NSManagedObject], into record: NSManagedObject) {
        for object in objects {
            switch type {
            case .mergeByPropertyObjectTrumpMergePolicyType: record.takeValues(of: object) { $0.isSet($1) }
            case .overwriteMergePolicyType: record.takeValues(of: object) { _, _ in true }
            default: break
            }
            leave(object, takesMembers: record)
        }
        record.forgetEqualValues()
        guard !objects.isEmpty else { return }
        record.registry?.context?.objectRefreshed(record)
        record.awakeFromPolicy()
    }

    private func leave(_ object: NSManagedObject, takesMembers heir: NSManagedObject) {
        if type == .rollbackMergePolicyType {
            object.releaseTargets { _ in true }
        } else {
            heir.takeMembers(of: object)
            // The deletion below may cascade to objects that were inserted together with this one, not to saved ones.
            object.releaseTargets { !$0.isInserted }
        }
        object.registry?.context?.delete(object)
    }

    private func giveBack(_ constraint: [String], of object: NSManagedObject) {
        if type == .rollbackMergePolicyType, let slab = object.slab {
            RowConflictMerge(object, row: RowSnapshot(slab: slab, index: Int(object.rowIndex)), type: type).run()
        } else {
            object.giveBack(constraint)
        }
    }
}
