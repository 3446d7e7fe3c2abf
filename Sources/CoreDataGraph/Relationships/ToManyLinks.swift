import CoreDataModeling

/// The contents of one to-many relationship of one object: what the store has, and what was added and removed since.
///
/// Adding and removing work without loading the members, so that one change of a large set costs one change.
///
/// Invariants:
/// 1. `added` and `removed` are disjoint, and are the difference of the relationship from what the store has.
/// 2. Once loaded, `members` is what the store has with that difference applied.
final class ToManyLinks {
    private(set) var isLoaded = false
    private(set) var members = ObjectList()
    private(set) var added = ObjectList()
    private(set) var removed = ObjectList()
    /// Whether members of an ordered relationship changed places.
    private(set) var isReordered = false
    /// What is to take the place of members that could not be read yet.
    var replacement: ObjectList?
    let isOrdered: Bool

    init(isOrdered: Bool) { self.isOrdered = isOrdered }

    var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || isReordered || replacement != nil }

    /// Takes over what the store has; what was added and removed before stays so.
    func load(_ stored: [NSManagedObject]) {
        guard !isLoaded else { return }
        isLoaded = true
        members = ObjectList(stored.filter { !removed.contains($0) })
        for object in added.objects { members.append(object) }
    }

    /// Forgets what the store had, to be read again; what was added and removed stays so, an order set by hand too.
    func forgetMembers() {
        guard !isReordered else { return }
        isLoaded = false
        members = ObjectList()
    }

    /// Gives what is to take the members' place, once.
    func takeReplacement() -> ObjectList? {
        defer { replacement = nil }
        return replacement
    }

    /// Whether an object is not known to be a member.
    func canAdd(_ object: NSManagedObject) -> Bool {
        isLoaded ? !members.contains(object) : !added.contains(object)
    }

    /// Whether an object is not known to be no member.
    func canRemove(_ object: NSManagedObject) -> Bool {
        isLoaded ? members.contains(object) : !removed.contains(object)
    }

    /// Adds a member; false when it is known to be one already.
    @discardableResult func add(_ object: NSManagedObject) -> Bool {
        replacement?.append(object)
        if isLoaded ? !members.append(object) : added.contains(object) { return false }
        if !removed.remove(object) { added.append(object) }
        return true
    }

    /// Takes a member out; false when it is known to be none.
    @discardableResult func remove(_ object: NSManagedObject) -> Bool {
        replacement?.removeKeepingOrder(object)
        let wasMember =
            isLoaded
            ? (isOrdered ? members.removeKeepingOrder(object) : members.remove(object)) : !removed.contains(object)
        guard wasMember else { return false }
        if !added.remove(object) { removed.append(object) }
        return true
    }

    /// Puts the members of a loaded ordered relationship into another order; false when it is the one they have.
    @discardableResult func reorder(_ order: some Collection<NSManagedObject>) -> Bool {
        guard !order.elementsEqual(members.objects, by: ===) else { return false }
        isReordered = true
        members = ObjectList(order)
        return true
    }

    /// Makes the present contents those of the store, after a save.
    func markSaved() {
        added = ObjectList()
        removed = ObjectList()
        isReordered = false
    }
}
