import CoreDataStore

/// A mutable set of the members of an unordered relationship: changing it changes the relationship, and it always shows
/// the present members.
///
/// It does not store members, so adding and removing do not read any. Enumerating visits the members at the start of
/// the enumeration. All methods of the superclass that can be overridden are overridden, since they use the
/// superclass's storage, which is empty.
final class LiveSet: NSMutableSet {
    private let owner: NSManagedObject
    private let number: Int

    init(_ owner: NSManagedObject, _ number: Int) {
        self.owner = owner
        self.number = number
        super.init(capacity: 0)
    }

    required init(capacity numItems: Int) { stop("The set of a relationship's members is made by its object.") }

    required convenience init?(coder aDecoder: NSCoder) { nil }

    // MARK: Reading

    private var members: [NSManagedObject] { owner.relatedObjects(number) }

    /// The members as an immutable set.
    private var present: NSSet { NSSet(array: members) }

    override var count: Int { owner.relatedCount(number) }
    override var allObjects: [Any] { members }
    override func anyObject() -> Any? { members.first }
    override func objectEnumerator() -> NSEnumerator { NSArray(array: members).objectEnumerator() }
    override func contains(_ object: Any) -> Bool { member(object) != nil }

    override func member(_ object: Any) -> Any? {
        guard let object = object as? NSManagedObject, owner.isRelated(object, number) else { return nil }
        return object
    }

    override func enumerateObjects(_ block: (Any, UnsafeMutablePointer<ObjCBool>) -> Void) {
        present.enumerateObjects(block)
    }

    override func enumerateObjects(
        options: NSEnumerationOptions = [], using block: (Any, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        present.enumerateObjects(options: options, using: block)
    }

    override func objects(passingTest predicate: (Any, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Set<AnyHashable> {
        present.objects(passingTest: predicate)
    }

    override func objects(
        options: NSEnumerationOptions = [], passingTest predicate: (Any, UnsafeMutablePointer<ObjCBool>) -> Bool
    ) -> Set<AnyHashable> {
        present.objects(options: options, passingTest: predicate)
    }

    override func sortedArray(using sortDescriptors: [NSSortDescriptor]) -> [Any] {
        present.sortedArray(using: sortDescriptors)
    }

    override func adding(_ object: Any) -> Set<AnyHashable> { present.adding(object) }
    override func addingObjects(from other: Set<AnyHashable>) -> Set<AnyHashable> { present.addingObjects(from: other) }
    override func addingObjects(from other: [Any]) -> Set<AnyHashable> { present.addingObjects(from: other) }
    override func intersects(_ other: Set<AnyHashable>) -> Bool { present.intersects(other) }
    override func isSubset(of other: Set<AnyHashable>) -> Bool { present.isSubset(of: other) }
    override func isEqual(to other: Set<AnyHashable>) -> Bool { present.isEqual(to: other) }

    override func isEqual(_ value: Any?) -> Bool {
        if let other = value as? LiveSet { return other === self || present.isEqual(other.present) }
        return present.isEqual(value)
    }

    override var hash: Int { present.hash }
    override var description: String { present.description }
    override func description(withLocale locale: Locale?) -> String { present.description(withLocale: locale) }
    override func copy() -> Any { present }
    override func copy(with zone: NSZone? = nil) -> Any { present }
    override func mutableCopy() -> Any { NSMutableSet(array: members) }
    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: members) }

    // MARK: Changing

    override func add(_ object: Any) { owner.addRelated(owner.expectMember(object, number), number) }

    override func remove(_ object: Any) {
        if let object = object as? NSManagedObject { owner.removeRelated(object, number) }
    }

    override func addObjects(from array: [Any]) {
        for object in array.map({ owner.expectMember($0, number) }) { owner.addRelated(object, number) }
    }

    override func union(_ other: Set<AnyHashable>) { addObjects(from: other.map(\.base)) }

    override func minus(_ other: Set<AnyHashable>) {
        for object in other { remove(object.base) }
    }

    override func intersect(_ other: Set<AnyHashable>) {
        for object in members where !other.contains(object) { owner.removeRelated(object, number) }
    }

    override func removeAllObjects() { owner.setRelated([], number) }

    override func setSet(_ other: Set<AnyHashable>) {
        owner.setRelated(other.map { owner.expectMember($0.base, number) }, number)
    }
}
