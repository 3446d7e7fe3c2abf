import CoreDataStore

/// The members of one to-many relationship of one object: those in the store, and those added and removed since.
///
/// Adding and removing do not load the members, so a change of a large set takes no longer than of a small one.
///
/// Invariants:
/// 1. `added` and `removed` are disjoint, and are the difference between the relationship and the store, except for
///    `coinciding`.
/// 2. If loaded, `members` are the stored members with that difference applied.
final class ToManyLinks {
    private(set) var isLoaded = false
    private var members = ObjectList<NSManagedObject>()
    private(set) var added = ObjectList<NSManagedObject>()
    private(set) var removed = ObjectList<NSManagedObject>()
    /// The added objects that the store is known to have already, and the removed objects that it is known to lack.
    private var coinciding = ObjectList<NSManagedObject>()
    /// Whether members of an ordered relationship changed places.
    private(set) var isReordered = false
    /// New members that were set while the present members could not be read; they replace these when they are read.
    var replacement: ObjectList<NSManagedObject>?
    let isOrdered: Bool
    /// The program's mutable ordered set that shows the members, if there is one.
    weak var display: (any MembersObserver)?
    private var committedOrder: [NSManagedObject]?
    /// The number of the event for which the undo journal has recorded the order at its beginning.
    var journaledEvent = 0

    init(isOrdered: Bool) { self.isOrdered = isOrdered }

    /// Makes the links of a new object, with members that were all added.
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

    /// Sets the stored members; what was added and removed before remains added and removed.
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

    /// Whether objects are in ascending order of their keys, as stores usually return them, and so are all different.
    private static func areDistinct(_ objects: [NSManagedObject]) -> Bool {
        zip(objects, objects.dropFirst()).allSatisfy { $0.binding.table == $1.binding.table && $0.key < $1.key }
    }

    private func coinciding(with stored: ObjectList<NSManagedObject>) -> ObjectList<NSManagedObject> {
        ObjectList(added.objects.filter(stored.contains) + removed.objects.filter { !stored.contains($0) })
    }

    /// Drops the stored members, so that they are read again; additions and removals remain. If the program has set an
    /// order, the members remain too.
    ///
    /// The record of changes that coincide with the store remains until the members are read: without it, reverting
    /// such a change would look like a change that the store does not have.
    func forgetMembers() {
        guard !isReordered else { return }
        isLoaded = false
        members = ObjectList<NSManagedObject>()
        committedOrder = nil
        guard let display else { return }
        load(display.storedMembers)
        display.show(objects)
    }

    /// Returns the new members and clears the property.
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

    /// Whether an object may be a member, by what is known.
    func canRemove(_ object: NSManagedObject) -> Bool {
        isLoaded ? isMember(object) : !removed.contains(object)
    }

    /// Adds a member; returns false if the object is known to be a member.
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

    /// Removes a member; returns false if the object is known not to be a member.
    @discardableResult func remove(_ object: NSManagedObject) -> Bool {
        keepCommittedOrder()
        replacement?.remove(object)
        guard isLoaded ? members.remove(object) : !removed.contains(object) else { return false }
        if !added.remove(object) || coinciding.remove(object) { removed.append(object) }
        return true
    }

    /// Makes an object a member, or not a member, without knowing whether it is one: the last call decides.
    ///
    /// If two opposite changes of an object follow each other, the second is recorded as coinciding with the store.
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

    /// Copies to this side the change of a many-to-many relationship that the other side records for the owner.
    ///
    /// Used if this side is not loaded, and so cannot know whether reverting a change leaves another one.
    func adoptChange(of object: NSManagedObject, from other: ToManyLinks, of owner: NSManagedObject) {
        guard !isLoaded else { return }
        let (isAdded, isRemoved) = (other.added.contains(owner), other.removed.contains(owner))
        if isAdded { added.append(object) } else { added.remove(object) }
        if isRemoved { removed.append(object) } else { removed.remove(object) }
        if other.coincides(owner) { coinciding.append(object) } else { coinciding.remove(object) }
    }

    /// Whether an object was added and the store is known to have it, or removed and the store is known to lack it.
    func coincides(_ object: NSManagedObject) -> Bool { coinciding.contains(object) }

    /// Drops the addition or removal of an object: it is a member if the store has it.
    func dropChange(of object: NSManagedObject) {
        let wasRemoved = removed.remove(object)
        guard wasRemoved || added.remove(object), !coinciding.remove(object), isLoaded else { return }
        if wasRemoved { members.append(object) } else { members.remove(object) }
    }

    /// Drops an object whose record is gone: it is no longer a member, and that does not count as a change.
    func forget(_ object: NSManagedObject) {
        members.remove(object)
        added.remove(object)
        removed.remove(object)
        coinciding.remove(object)
        replacement?.remove(object)
        committedOrder?.removeAll { $0 === object }
        display?.showRemoved(object)
    }

    /// Sets the order of the members of a loaded ordered relationship; returns false if it is the present order.
    @discardableResult func reorder(_ order: some Collection<NSManagedObject>) -> Bool {
        guard !order.elementsEqual(objects, by: ===) else { return false }
        keepCommittedOrder()
        isReordered = true
        members = ObjectList(order)
        return true
    }

    /// Moves a member of a loaded ordered relationship to an index in the list of the other members.
    func move(_ object: NSManagedObject, to index: Int) {
        keepCommittedOrder()
        guard members.remove(object) else { return }
        isReordered = true
        members.insert(object, at: index)
    }

    /// Records that the store now has a member. If it was added here, it no longer counts as added; if it was removed
    /// here, the removal remains.
    func noteStored(_ object: NSManagedObject) {
        committedOrder?.append(object)
        coinciding.remove(object)
        guard !added.remove(object), isLoaded, !removed.contains(object) else { return }
        members.append(object)
    }

    /// Records that the store no longer has a member. If it was removed here, it no longer counts as removed; if it was
    /// added here, the addition remains.
    func noteUnstored(_ object: NSManagedObject) {
        committedOrder?.removeAll { $0 === object }
        coinciding.remove(object)
        guard !removed.remove(object), isLoaded, !added.contains(object) else { return }
        members.remove(object)
    }

    /// A copy of the state of the links, to restore it later.
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

    /// Makes the present members the stored ones, after a save.
    func markSaved() {
        added = ObjectList<NSManagedObject>()
        removed = ObjectList<NSManagedObject>()
        coinciding = ObjectList<NSManagedObject>()
        isReordered = false
        committedOrder = nil
        members.closeGaps()
    }

    /// The stored members; nil if they are not loaded.
    var committed: [NSManagedObject]? {
        guard isLoaded else { return nil }
        return committedOrder ?? objects.filter { !added.contains($0) || coinciding.contains($0) }
            + removed.objects.filter { !coinciding.contains($0) }
    }

    /// Clears `isReordered` if the members are again those of the store in the store's order.
    func noticeCommittedOrder() {
        guard isReordered, added.isEmpty, removed.isEmpty, let committedOrder else { return }
        if committedOrder.elementsEqual(objects, by: ===) { isReordered = false }
    }

    /// Keeps the stored members of an ordered relationship before its order changes.
    private func keepCommittedOrder() {
        guard isOrdered, isLoaded, committedOrder == nil else { return }
        committedOrder = committed
    }
}
