import CoreDataStore

/// A mutable ordered set of the members of an ordered relationship: changing it changes the relationship, and it always
/// shows the present members in their order.
///
/// Many reading methods of the superclass cannot be overridden and read the superclass's own storage. So that storage
/// has the members too, and every change of the relationship updates it.
///
/// Invariants:
/// 1. The superclass's storage has the members of the relationship whenever the program's code can run.
/// 2. Only `showing` writes to that storage; every other mutator changes the relationship, which then calls `show`.
final class LiveOrderedSet: NSMutableOrderedSet, MembersObserver {
    let owner: NSManagedObject
    let number: Int
    private var isShowing = false

    init(_ owner: NSManagedObject, _ number: Int) {
        self.owner = owner
        self.number = number
        super.init(objects: nil, count: 0)
    }

    required convenience init(arrayLiteral elements: Any...) {
        stop("The ordered set of a relationship's members is made by its object.")
    }

    required convenience init?(coder aDecoder: NSCoder) { nil }

    // MARK: Following the relationship

    /// Replaces the shown members by the present members of the relationship.
    func show(_ members: [NSManagedObject]) {
        showing {
            super.removeAllObjects()
            super.addObjects(from: members)
        }
    }

    /// Shows an object that has become the last member.
    func showAdded(_ member: NSManagedObject) {
        showing { super.add(member) }
    }

    /// Stops showing an object that is no longer a member.
    func showRemoved(_ member: NSManagedObject) {
        showing { super.remove(member) }
    }

    /// Shows the stored members after the owner has dropped its list of members.
    func linksWereDropped() { show(storedMembers) }

    /// The members that the store has.
    var storedMembers: [NSManagedObject] { owner.storedMembers(number) }

    /// Runs a block in which the superclass's methods change its storage, even if they call each other.
    private func showing(_ body: () -> Void) {
        isShowing = true
        body()
        isShowing = false
    }

    // MARK: Copies

    override func copy() -> Any { NSOrderedSet(array: array) }
    override func copy(with zone: NSZone? = nil) -> Any { copy() }
    override func mutableCopy() -> Any { NSMutableOrderedSet(array: array) }
    override func mutableCopy(with zone: NSZone? = nil) -> Any { mutableCopy() }

    // MARK: Changing one member

    override func add(_ object: Any) {
        if isShowing { return super.add(object) }
        owner.addRelated(expect(object), number)
    }

    override func remove(_ object: Any) {
        if isShowing { return super.remove(object) }
        if let object = object as? NSManagedObject { owner.removeRelated(object, number) }
    }

    override func insert(_ object: Any, at index: Int) {
        if isShowing { return super.insert(object, at: index) }
        owner.insertRelated(expect(object), number, at: index)
    }

    override func removeObject(at index: Int) {
        if isShowing { return super.removeObject(at: index) }
        owner.removeRelated(at: [index], number)
    }

    override func replaceObject(at index: Int, with object: Any) {
        if isShowing { return super.replaceObject(at: index, with: object) }
        owner.replaceRelated(at: [index], with: [expect(object)], number)
    }

    override func setObject(_ object: Any, at index: Int) {
        if index == count { add(object) } else { replaceObject(at: index, with: object) }
    }

    override subscript(index: Int) -> Any {
        get { object(at: index) }
        set { setObject(newValue, at: index) }
    }

    override func exchangeObject(at first: Int, withObjectAt second: Int) {
        change { $0.swapAt(first, second) }
    }

    // MARK: Changing several members

    override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
        addObjects(from: Array(UnsafeBufferPointer(start: objects, count: count)))
    }

    override func addObjects(from array: [Any]) {
        if isShowing { return super.addObjects(from: array) }
        let coming = array.map(expect)
        change { $0 += coming }
    }

    override func insert(_ objects: [Any], at indexes: IndexSet) {
        owner.insertRelated(objects.map(expect), number, at: indexes)
    }

    override func removeObjects(at indexes: IndexSet) {
        if isShowing { return super.removeObjects(at: indexes) }
        owner.removeRelated(at: indexes, number)
    }

    override func removeObjects(in range: NSRange) {
        owner.removeRelated(at: IndexSet(integersIn: range.location..<range.location + range.length), number)
    }

    override func removeObjects(in array: [Any]) {
        if isShowing { return super.removeObjects(in: array) }
        keep(inOrOut: ObjectList(array.lazy.compactMap { $0 as? NSManagedObject }), isIn: false)
    }

    override func removeAllObjects() {
        if isShowing { return super.removeAllObjects() }
        change { $0 = [] }
    }

    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        owner.replaceRelated(at: indexes, with: objects.map(expect), number)
    }

    override func replaceObjects(in range: NSRange, with objects: UnsafePointer<AnyObject>!, count: Int) {
        let coming = UnsafeBufferPointer(start: objects, count: count).map(expect)
        let isComing = ObjectList(coming)
        change { members in
            let bounds = range.location..<range.location + range.length
            let (before, after) = (members[..<bounds.lowerBound], members[bounds.upperBound...])
            members = before.filter { !isComing.contains($0) } + coming + after.filter { !isComing.contains($0) }
        }
    }

    override func moveObjects(at indexes: IndexSet, to index: Int) {
        change { members in
            let moved = indexes.map { members[$0] }
            for place in indexes.reversed() { members.remove(at: place) }
            members.insert(contentsOf: moved, at: index)
        }
    }

    // MARK: Changing by other sets

    override func union(_ other: NSOrderedSet) { addObjects(from: other.array) }
    override func unionSet(_ other: Set<AnyHashable>) { addObjects(from: other.map(\.base)) }
    override func minus(_ other: NSOrderedSet) { removeObjects(in: other.array) }
    override func minusSet(_ other: Set<AnyHashable>) { removeObjects(in: other.map(\.base)) }

    override func intersect(_ other: NSOrderedSet) {
        keep(inOrOut: ObjectList(other.array.lazy.compactMap { $0 as? NSManagedObject }), isIn: true)
    }

    override func intersectSet(_ other: Set<AnyHashable>) {
        keep(inOrOut: ObjectList(other.lazy.compactMap { $0.base as? NSManagedObject }), isIn: true)
    }

    // MARK: Sorting

    override func sort(comparator: (Any, Any) -> ComparisonResult) { sort(options: [], usingComparator: comparator) }

    override func sort(options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult) {
        sortRange(NSRange(location: 0, length: count), options: options, usingComparator: comparator)
    }

    override func sort(using sortDescriptors: [NSSortDescriptor]) {
        sort { first, second in
            for descriptor in sortDescriptors {
                let order = descriptor.compare(first, to: second)
                if order != .orderedSame { return order }
            }
            return .orderedSame
        }
    }

    override func sortRange(
        _ range: NSRange, options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult
    ) {
        change { members in
            // The standard library's sort keeps the order of equal elements.
            let bounds = range.location..<range.location + range.length
            members[bounds].sort { comparator($0, $1) == .orderedAscending }
        }
    }

    // MARK: What the mutators share

    private func expect(_ object: Any) -> NSManagedObject { owner.expectMember(object, number) }

    private func change(_ body: (inout [NSManagedObject]) -> Void) {
        var members = owner.relatedObjects(number)
        body(&members)
        owner.setRelated(members, number)
    }

    /// Keeps the members that are in a list (`isIn`), or those that are not.
    private func keep(inOrOut list: ObjectList<NSManagedObject>, isIn: Bool) {
        change { members in members.removeAll { list.contains($0) != isIn } }
    }
}
