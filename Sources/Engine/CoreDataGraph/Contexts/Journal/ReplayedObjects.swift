import CoreDataStore

/// The objects that an undo or redo concerns, until its end is announced.
struct ReplayedObjects {
    private var objects: [NSManagedObject] = []
    private var events: [ObjectIdentifier: NSSnapshotEventType] = [:]
    /// Objects that came back in the step that is being replayed.
    private var returned: [NSManagedObject] = []

    var isEmpty: Bool { objects.isEmpty }

    mutating func note(_ object: NSManagedObject, _ event: NSSnapshotEventType) {
        if events[ObjectIdentifier(object)] == nil { objects.append(object) }
        events[ObjectIdentifier(object), default: []].insert(event)
        if event == .undoDeletion { returned.append(object) }
    }

    /// Hands over the objects that came back in the step, which is then over.
    mutating func takeReturned() -> [NSManagedObject] {
        defer { returned = [] }
        return returned
    }

    /// Informs each object once, with all values in place, why it has other values.
    func awake() {
        for object in objects where object.registry != nil {
            guard let event = events[ObjectIdentifier(object)] else { continue }
            object.flags.insert(.awaking)
            object.awake(fromSnapshotEvents: event)
            object.flags.remove(.awaking)
        }
    }

    /// Objects that have what was committed are not changed any more.
    func finish() {
        for object in objects where object.isUpdated {
            for links in object.working?.toMany ?? [] { links?.noticeCommittedOrder() }
            if object.working?.hasAnyChange != true { object.flags.remove(.updated) }
        }
    }

    /// Names those that the flags do not show: objects that left, came back, or are as they were committed.
    func complete(_ sets: inout [String: Set<NSManagedObject>]) {
        for object in objects {
            let event = events[ObjectIdentifier(object)] ?? []
            if object.registry == nil {
                sets[NSDeletedObjectsKey, default: []].insert(object)
            } else if event.contains(.undoDeletion), !object.isDeleted {
                if sets[NSUpdatedObjectsKey]?.remove(object) != nil, sets[NSUpdatedObjectsKey]?.isEmpty == true {
                    sets[NSUpdatedObjectsKey] = nil
                }
                sets[NSInsertedObjectsKey, default: []].insert(object)
            } else if !object.hasChanges {
                sets[NSUpdatedObjectsKey, default: []].insert(object)
            }
        }
    }
}
