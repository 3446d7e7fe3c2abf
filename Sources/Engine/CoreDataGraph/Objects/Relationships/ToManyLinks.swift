import CoreDataStore

/// The contents of one to-many relationship of one object: what the store has, and what was added and removed since.
///
/// Adding and removing work without loading the members, so that one change of a large set costs one change.
///
/// Invariants:
/// 1. `added` and `removed` are disjoint, and are the difference of the relationship from what the store has.
/// 2. Once loaded, `members` is what the store has with that difference applied.
final class ToManyLinks {
    private(set) var isLoaded = false
    private var members = ObjectList<NSManagedObject>()
    private(set) var added = ObjectList<NSManagedObject>()
    private(set) var removed = ObjectList<NSManagedObject>()
    /// Of what was added and removed, what the store has, or has not, already, as far as is known.
    private var coinciding = ObjectList<NSManagedObject>()
    /// Whether members of an ordered relationship changed places.
    private(set) var isReordered = false
    /// What is to take the place of members that could not be read yet.
    var replacement: ObjectList<NSManagedObject>?
    let isOrdered: Bool
    /// The ordered set that shows the members to the program while they change.
    weak var display: (any MembersObserver)?
    private var committedOrder: [NSManagedObject]?
    /// The event for which a journal has the order that it began with.
    var journaledEvent = 0

    init(isOrdered: Bool) { self.isOrdered = isOrdered }

    /// The contents of a relationship of a new object.
    init(isOrdered: Bool, adding members: [NSManagedObject]) {
        self.isOrdered = isOrdered
        isLoaded = true
        self.members = ObjectList(members)
        added = self.members
    }

    deinit { display?.linksWereDropped() }

    var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || isReordered || replacement != nil }

    /// The members in their order.
    var objects: [NSManagedObject] {
        members.closeGaps()
        return members.objects
    }

    var count: Int { members.count }

    /// Takes over what the store has; what was added and removed before stays so.
    func load(_ stored: [NSManagedObject]) {
        guard !isLoaded else { return }
        isLoaded = true
        if added.isEmpty, removed.isEmpty, Self.areDistinct(stored) {
            members = ObjectList(distinct: stored)
            return
        }
        if !added.isEmpty || !removed.isEmpty { coinciding = coinciding(with: ObjectList(stored)) }
        members = ObjectList(stored.lazy.filter { !self.removed.contains($0) })
        for object in added.objects { members.append(object) }
    }

    /// Whether objects are seen to be different ones: in the order of their keys, as stores mostly give them.
    private static func areDistinct(_ objects: [NSManagedObject]) -> Bool {
        zip(objects, objects.dropFirst()).allSatisfy { $0.binding.table == $1.binding.table && $0.key < $1.key }
    }

    private func coinciding(with stored: ObjectList<NSManagedObject>) -> ObjectList<NSManagedObject> {
        ObjectList(added.objects.filter(stored.contains) + removed.objects.filter { !stored.contains($0) })
    }

    /// Forgets the stored members, to be read again; keeps what was added and removed, and an order set explicitly.
    ///
    /// Changes that coincide with the store are kept until the members are read: without them, reverting such a change
    /// would look like a change that the store does not have.
    func forgetMembers() {
        guard !isReordered else { return }
        isLoaded = false
        members = ObjectList<NSManagedObject>()
        committedOrder = nil
        guard let display else { return }
        load(display.storedMembers)
        display.show(objects)
    }

    /// Gives what is to take the members' place, once.
    func takeReplacement() -> ObjectList<NSManagedObject>? {
        defer { replacement = nil }
        return replacement
    }

    /// Whether an object is known to be a member.
    func contains(_ object: NSManagedObject) -> Bool {
        isLoaded ? isMember(object) : added.contains(object)
    }

    private func isMember(_ object: NSManagedObject) -> Bool {
        members.index()
        return members.contains(object)
    }

    /// Whether an object is not known to be a member.
    func canAdd(_ object: NSManagedObject) -> Bool { !contains(object) }

    /// Whether an object is not known to be no member.
    func canRemove(_ object: NSManagedObject) -> Bool {
        isLoaded ? isMember(object) : !removed.contains(object)
    }

    /// Adds a member; false when it is known to be one already.
    @discardableResult func add(_ object: NSManagedObject) -> Bool {
        replacement?.append(object)
        if isLoaded ? !members.append(object) : added.contains(object) { return false }
        if !removed.remove(object) || coinciding.remove(object) {
            added.append(object)
        } else if isOrdered {
            isReordered = true
        }
        return true
    }

    /// Takes a member out; false when it is known not to be a member.
    @discardableResult func remove(_ object: NSManagedObject) -> Bool {
        keepCommittedOrder()
        replacement?.remove(object)
        guard isLoaded ? members.remove(object) : !removed.contains(object) else { return false }
        if !added.remove(object) || coinciding.remove(object) { removed.append(object) }
        return true
    }

    /// Makes an object a member, or none, without asking whether it is one: what was said last holds.
    ///
    /// Of two opposite changes in a row one coincides with what the store has, and the other does not.
    func overrule(_ object: NSManagedObject, isMember: Bool) {
        if isLoaded {
            if isMember { add(object) } else { remove(object) }
            return
        }
        if isMember { replacement?.append(object) } else { replacement?.remove(object) }
        guard !(isMember ? added : removed).contains(object) else { return }
        if isMember ? removed.remove(object) : added.remove(object), !coinciding.remove(object) {
            coinciding.append(object)
        }
        if isMember { added.append(object) } else { removed.append(object) }
    }

    /// Copies the change that the other side of a many-to-many relationship records for the owner to this side.
    ///
    /// Used where this side was never read, and so cannot know whether reverting a change leaves another one.
    func adoptChange(of object: NSManagedObject, from other: ToManyLinks, of owner: NSManagedObject) {
        guard !isLoaded else { return }
        let (isAdded, isRemoved) = (other.added.contains(owner), other.removed.contains(owner))
        if isAdded { added.append(object) } else { added.remove(object) }
        if isRemoved { removed.append(object) } else { removed.remove(object) }
        if other.coincides(owner) { coinciding.append(object) } else { coinciding.remove(object) }
    }

    /// Whether the recorded change of an object matches what the store already has.
    func coincides(_ object: NSManagedObject) -> Bool { coinciding.contains(object) }

    /// Reverts that an object was added or removed: it is a member if the store has it.
    func dropChange(of object: NSManagedObject) {
        let wasRemoved = removed.remove(object)
        guard wasRemoved || added.remove(object), !coinciding.remove(object), isLoaded else { return }
        if wasRemoved { members.append(object) } else { members.remove(object) }
    }

    /// Forgets an object whose record is gone: it is not a member any more, and that is not a change.
    func forget(_ object: NSManagedObject) {
        members.remove(object)
        added.remove(object)
        removed.remove(object)
        coinciding.remove(object)
        replacement?.remove(object)
        committedOrder?.removeAll { $0 === object }
        display?.showRemoved(object)
    }

    /// Puts the members of a loaded ordered relationship into another order; false when it is the one they have.
    @discardableResult func reorder(_ order: some Collection<NSManagedObject>) -> Bool {
        guard !order.elementsEqual(objects, by: ===) else { return false }
        keepCommittedOrder()
        isReordered = true
        members = ObjectList(order)
        return true
    }

    /// Puts one member of a loaded ordered relationship at an index of those that are there without it.
    func move(_ object: NSManagedObject, to index: Int) {
        keepCommittedOrder()
        guard members.remove(object) else { return }
        isReordered = true
        members.insert(object, at: index)
    }

    /// Knows that the store has a member, which may have been added here too; a removal stays one.
    func noteStored(_ object: NSManagedObject) {
        committedOrder?.append(object)
        coinciding.remove(object)
        guard !added.remove(object), isLoaded, !removed.contains(object) else { return }
        members.append(object)
    }

    /// Knows that the store does not have a member any more; an addition stays one.
    func noteUnstored(_ object: NSManagedObject) {
        committedOrder?.removeAll { $0 === object }
        coinciding.remove(object)
        guard !removed.remove(object), isLoaded, !added.contains(object) else { return }
        members.remove(object)
    }

    /// The state of the links at a time, to be restored.
    struct Contents {
        fileprivate let isLoaded, isReordered: Bool
        fileprivate let members, added, removed, coinciding: ObjectList<NSManagedObject>
        fileprivate let replacement: ObjectList<NSManagedObject>?
        fileprivate let committedOrder: [NSManagedObject]?
        fileprivate let journaledEvent: Int
    }

    var contents: Contents {
        get {
            Contents(
                isLoaded: isLoaded, isReordered: isReordered, members: members, added: added, removed: removed,
                coinciding: coinciding,
                replacement: replacement, committedOrder: committedOrder, journaledEvent: journaledEvent)
        }
        set {
            (isLoaded, isReordered) = (newValue.isLoaded, newValue.isReordered)
            (members, added, removed) = (newValue.members, newValue.added, newValue.removed)
            coinciding = newValue.coinciding
            (replacement, committedOrder) = (newValue.replacement, newValue.committedOrder)
            journaledEvent = newValue.journaledEvent
            if isLoaded { display?.show(objects) }
        }
    }

    /// Makes the present contents those of the store, after a save.
    func markSaved() {
        added = ObjectList<NSManagedObject>()
        removed = ObjectList<NSManagedObject>()
        coinciding = ObjectList<NSManagedObject>()
        isReordered = false
        committedOrder = nil
        members.closeGaps()
    }

    /// The stored members; nil before they were read.
    var committed: [NSManagedObject]? {
        guard isLoaded else { return nil }
        return committedOrder ?? objects.filter { !added.contains($0) || coinciding.contains($0) }
            + removed.objects.filter { !coinciding.contains($0) }
    }

    /// Knows that the members are in the order that the store has, if they have come back to it.
    func noticeCommittedOrder() {
        guard isReordered, added.isEmpty, removed.isEmpty, let committedOrder else { return }
        if committedOrder.elementsEqual(objects, by: ===) { isReordered = false }
    }

    /// Keeps what the store has of an ordered relationship before its order changes.
    private func keepCommittedOrder() {
        guard isOrdered, isLoaded, committedOrder == nil else { return }
        committedOrder = committed
    }
}
