import CoreDataStore

/// Changed objects by the kind of their change, as notifications name them.
struct ChangeSets {
    private(set) var inserted: [NSManagedObject] = []
    private(set) var updated: [NSManagedObject] = []
    private(set) var deleted: [NSManagedObject] = []

    init() {}

    /// Sorts objects, each of which is listed once, and passes over those without changes.
    init(_ objects: [NSManagedObject]) {
        for object in objects {
            if object.isDeleted {
                deleted.append(object)
            } else if object.isInserted {
                inserted.append(object)
            } else if object.hasChanges {
                updated.append(object)
            }
        }
    }

    /// Adds what is in others.
    mutating func add(_ others: ChangeSets) {
        inserted += others.inserted
        updated += others.updated
        deleted += others.deleted
    }

    /// The sets under the keys of the notifications, made or found among shared ones; no empty ones.
    func userInfo(sharing shared: inout SharedSets) -> [String: Set<NSManagedObject>] {
        var sets: [String: Set<NSManagedObject>] = [:]
        if !inserted.isEmpty { sets[NSInsertedObjectsKey] = shared.set(inserted) }
        if !updated.isEmpty { sets[NSUpdatedObjectsKey] = shared.set(updated) }
        if !deleted.isEmpty { sets[NSDeletedObjectsKey] = shared.set(deleted) }
        return sets
    }
}

/// Sets that were made of lists of objects, given again for the same list: a save reports its objects when they change
/// and when they are saved, and hashing them is most of what that takes.
struct SharedSets {
    private var made: [(list: [NSManagedObject], set: Set<NSManagedObject>)] = []
    /// As many as there are kinds of changes.
    private static let mostKept = 3

    /// The set of the objects of a list.
    mutating func set(_ list: [NSManagedObject]) -> Set<NSManagedObject> {
        for known in made where Self.isSame(known.list, list) { return known.set }
        let set = Set(list)
        if made.count == Self.mostKept { made.removeFirst() }
        made.append((list, set))
        return set
    }

    private static func isSame(_ one: [NSManagedObject], _ other: [NSManagedObject]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).allSatisfy { $0 === $1 }
    }
}
