import CoreDataStore

/// The objects that an undo or redo changes, until the notification of its event has been posted.
struct ReplayedObjects {
    private var objects: [NSManagedObject] = []
    private var events: [ObjectIdentifier: NSSnapshotEventType] = [:]
    /// Objects whose deletion was undone in the step that is being replayed.
    private var returned: [NSManagedObject] = []

    var isEmpty: Bool { objects.isEmpty }

    mutating func note(_ object: NSManagedObject, _ event: NSSnapshotEventType) {
        if events[ObjectIdentifier(object)] == nil { objects.append(object) }
        events[ObjectIdentifier(object), default: []].insert(event)
        if event == .undoDeletion { returned.append(object) }
    }

    /// Removes and returns the objects whose deletion the step has undone; called at the end of the step.
    mutating func takeReturned() -> [NSManagedObject] {
        defer { returned = [] }
        return returned
    }

    /// Calls `awake(fromSnapshotEvents:)` of each object once, after all values have been restored.
    func awake() {
        for object in objects where object.registry != nil {
            guard let event = events[ObjectIdentifier(object)] else { continue }
            object.flags.insert(.awaking)
            object.awake(fromSnapshotEvents: event)
            object.flags.remove(.awaking)
        }
    }

    /// Removes the flag `.updated` from objects whose values are the committed ones again.
    func finish() {
        for object in objects where object.isUpdated {
            for links in object.working?.toMany ?? [] { links?.noticeCommittedOrder() }
            if object.working?.hasAnyChange != true { object.flags.remove(.updated) }
        }
    }

    /// Adds the objects whose change the flags do not show: those that left the context, were inserted again, or have
    /// their committed values again.
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
