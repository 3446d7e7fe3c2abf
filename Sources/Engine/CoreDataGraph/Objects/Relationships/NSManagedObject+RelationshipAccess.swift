import CoreDataStore

/// The functions that a class's accessors of relationships call; each names its property by the number in the class's
/// property table and stops if the object's entity lacks the property.
extension NSManagedObject {
    // MARK: To one

    /// The target of the to-one relationship with the given number in the class's property table.
    @inlinable public func toOne<Target: NSManagedObject>(_ number: Int) -> Target? {
        relatedObject(slot(number)) as? Target
    }

    /// Sets the target of the to-one relationship with the given number in the class's property table.
    public func setToOne(_ number: Int, _ target: NSManagedObject?) { relate(slot(number), to: target) }

    // MARK: To many

    /// The members of the to-many relationship with the given number in the class's property table.
    @inlinable public func toMany<Target: NSManagedObject>(_ number: Int) -> Set<Target> {
        let members = relatedObjects(slot(number))
        var targets = Set<Target>(minimumCapacity: members.count)
        for case let target as Target in members { targets.insert(target) }
        return targets
    }

    /// The members in their order, which is undefined unless the relationship is ordered.
    @inlinable public func toMany<Target: NSManagedObject>(_ number: Int) -> [Target] {
        relatedObjects(slot(number)).compactMap { $0 as? Target }
    }

    /// The members as Foundation's set, for accessors of Apple's form `NSSet?`.
    public func toMany(_ number: Int) -> NSSet { .of(relatedObjects(slot(number))) }

    /// The members as Foundation's ordered set, for accessors of Apple's form `NSOrderedSet?`.
    public func toMany(_ number: Int) -> NSOrderedSet { NSOrderedSet(array: relatedObjects(slot(number))) }

    /// Sets the members of the to-many relationship with the given number; nil leaves it empty.
    public func setToMany<Target: NSManagedObject>(_ number: Int, _ targets: Set<Target>?) {
        setRelated(Array(targets ?? []), slot(number))
    }

    /// Sets the members of the to-many relationship with the given number, and their order if it has one.
    public func setToMany<Target: NSManagedObject>(_ number: Int, _ targets: [Target]?) {
        setRelated(targets ?? [], slot(number))
    }

    /// Sets the members of the to-many relationship with the given number; stops for what is not a managed object.
    public func setToMany(_ number: Int, _ targets: NSSet?) {
        let place = slot(number)
        setRelated((targets?.allObjects ?? []).map { expectMember($0, place) }, place)
    }

    /// Sets the members and their order; stops for what is not a managed object.
    public func setToMany(_ number: Int, _ targets: NSOrderedSet?) {
        let place = slot(number)
        setRelated((targets?.array ?? []).map { expectMember($0, place) }, place)
    }

    // MARK: Members

    /// Adds an object, at the end if the relationship is ordered; loads no members.
    public func addToMany(_ number: Int, _ target: NSManagedObject) { addRelated(target, slot(number)) }

    /// Adds objects, at the end if the relationship is ordered; loads no members.
    public func addToMany(_ number: Int, _ targets: some Sequence<NSManagedObject>) {
        let place = slot(number)
        for target in targets { addRelated(target, place) }
    }

    /// Adds the objects of a typed set; loads no members.
    public func addToMany<Target: NSManagedObject>(_ number: Int, _ targets: Set<Target>) {
        let place = slot(number)
        for target in targets { addRelated(target, place) }
    }

    /// Adds the objects of Foundation's set, for accessors of Apple's form; stops for what is not a managed object.
    public func addToMany(_ number: Int, _ targets: NSSet) {
        addToMany(number, targets.allObjects.map { expectMember($0, slot(number)) })
    }

    /// Adds the objects of Foundation's ordered set at the end; stops for what is not a managed object.
    public func addToMany(_ number: Int, _ targets: NSOrderedSet) {
        addToMany(number, targets.array.map { expectMember($0, slot(number)) })
    }

    /// Takes an object out; loads members only where the object itself cannot determine whether it is one.
    public func removeFromMany(_ number: Int, _ target: NSManagedObject) { removeRelated(target, slot(number)) }

    /// Takes objects out; loads members only where the objects themselves cannot determine whether they are any.
    public func removeFromMany(_ number: Int, _ targets: some Sequence<NSManagedObject>) {
        let place = slot(number)
        for target in targets { removeRelated(target, place) }
    }

    /// Takes the objects of a typed set out.
    public func removeFromMany<Target: NSManagedObject>(_ number: Int, _ targets: Set<Target>) {
        let place = slot(number)
        for target in targets { removeRelated(target, place) }
    }

    /// Takes the objects of Foundation's set out.
    public func removeFromMany(_ number: Int, _ targets: NSSet) {
        removeFromMany(number, targets.allObjects.compactMap { $0 as? NSManagedObject })
    }

    /// Takes the objects of Foundation's ordered set out.
    public func removeFromMany(_ number: Int, _ targets: NSOrderedSet) {
        removeFromMany(number, targets.array.compactMap { $0 as? NSManagedObject })
    }

    // MARK: Places of an ordered relationship

    /// Puts an object before the member at an index; one that is a member already stays where it is.
    public func insertIntoMany(_ number: Int, _ target: NSManagedObject, at index: Int) {
        insertRelated(target, slot(number), at: index)
    }

    /// Puts objects where they then have the given indexes; those that are members already stay where they are.
    public func insertIntoMany(_ number: Int, _ targets: [NSManagedObject], at indexes: IndexSet) {
        insertRelated(targets, slot(number), at: indexes)
    }

    /// Takes out the member at an index.
    public func removeFromMany(_ number: Int, at index: Int) { removeRelated(at: [index], slot(number)) }

    /// Takes out the members at some indexes.
    public func removeFromMany(_ number: Int, at indexes: IndexSet) { removeRelated(at: indexes, slot(number)) }

    /// Puts an object in place of the member at an index; one that is a member elsewhere moves.
    public func replaceInMany(_ number: Int, at index: Int, with target: NSManagedObject) {
        replaceRelated(at: [index], with: [target], slot(number))
    }

    /// Puts objects in the places of the members at some indexes; those that are members elsewhere move.
    public func replaceInMany(_ number: Int, at indexes: IndexSet, with targets: [NSManagedObject]) {
        replaceRelated(at: indexes, with: targets, slot(number))
    }
}
