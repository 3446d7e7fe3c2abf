import CoreDataStore

/// Changed objects by the kind of their change, as in the notifications of a context.
struct ChangeSets {
    private(set) var inserted: [NSManagedObject] = []
    private(set) var updated: [NSManagedObject] = []
    private(set) var deleted: [NSManagedObject] = []

    init() {}

    /// Divides objects, each of which is listed once, by their changes; skips those without changes.
    init(_ objects: [NSManagedObject]) {
        // Usually all objects have the same kind of change: their list is then used as it is.
        switch objects.first?.flags.changeKind {
        case .inserted? where objects.allSatisfy({ $0.flags.changeKind == .inserted }): inserted = objects
        case .updated? where objects.allSatisfy({ $0.flags.changeKind == .updated }): updated = objects
        case .deleted? where objects.allSatisfy({ $0.flags.changeKind == .deleted }): deleted = objects
        default: divide(objects)
        }
    }

    private mutating func divide(_ objects: [NSManagedObject]) {
        for object in objects {
            switch object.flags.changeKind {
            case .inserted: inserted.append(object)
            case .updated: updated.append(object)
            case .deleted: deleted.append(object)
            case .none: continue
            }
        }
    }

    /// Adds the objects of other sets.
    mutating func add(_ others: ChangeSets) {
        inserted.append(sharing: others.inserted)
        updated.append(sharing: others.updated)
        deleted.append(sharing: others.deleted)
    }

    /// The nonempty sets under the keys of the notifications; reuses a set of `shared` with the same objects.
    func userInfo(sharing shared: inout SharedSets<NSManagedObject>) -> [String: Set<NSManagedObject>] {
        var sets: [String: Set<NSManagedObject>] = [:]
        if !inserted.isEmpty { sets[NSInsertedObjectsKey] = shared.set(inserted) }
        if !updated.isEmpty { sets[NSUpdatedObjectsKey] = shared.set(updated) }
        if !deleted.isEmpty { sets[NSDeletedObjectsKey] = shared.set(deleted) }
        return sets
    }
}

extension ObjectFlags {
    enum ChangeKind { case none, inserted, updated, deleted }

    /// The kind of an object's unsaved change.
    @inline(__always) fileprivate var changeKind: ChangeKind {
        if !isDisjoint(with: [.deleted, .countsAsDeleted]) { return .deleted }
        return contains(.inserted) ? .inserted : contains(.updated) ? .updated : .none
    }
}

extension [NSManagedObject] {
    /// Appends objects; an empty list takes over the storage of the others, without retaining each object.
    mutating func append(sharing others: [NSManagedObject]) {
        if isEmpty { self = others } else { self += others }
    }
}
