import CoreDataStore

/// Functions that a class's relationship accessors call. Each refers to a relationship by its number in the class's
/// property table, and stops if the object's entity lacks the property.
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

    /// The members as an array, in their order if the relationship is ordered.
    @inlinable public func toMany<Target: NSManagedObject>(_ number: Int) -> [Target] {
        relatedObjects(slot(number)).compactMap { $0 as? Target }
    }

    /// The members as Foundation's set, for accessors of Apple's form `NSSet?`.
    public func toMany(_ number: Int) -> NSSet { .of(relatedObjects(slot(number))) }

    /// The members as Foundation's ordered set, for accessors of Apple's form `NSOrderedSet?`.
    public func toMany(_ number: Int) -> NSOrderedSet { NSOrderedSet(array: relatedObjects(slot(number))) }

    /// Sets the members of the to-many relationship with the given number; nil removes all.
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

    /// Removes an object; loads the members only if the object's own side of the relationship does not show whether it
    /// is one.
    public func removeFromMany(_ number: Int, _ target: NSManagedObject) { removeRelated(target, slot(number)) }

    /// Removes objects; loads the members only if the objects' own side of the relationship does not show whether they
    /// are members.
    public func removeFromMany(_ number: Int, _ targets: some Sequence<NSManagedObject>) {
        let place = slot(number)
        for target in targets { removeRelated(target, place) }
    }

    /// Removes the objects of a typed set.
    public func removeFromMany<Target: NSManagedObject>(_ number: Int, _ targets: Set<Target>) {
        let place = slot(number)
        for target in targets { removeRelated(target, place) }
    }

    /// Removes the objects of Foundation's set.
    public func removeFromMany(_ number: Int, _ targets: NSSet) {
        removeFromMany(number, targets.allObjects.compactMap { $0 as? NSManagedObject })
    }

    /// Removes the objects of Foundation's ordered set.
    public func removeFromMany(_ number: Int, _ targets: NSOrderedSet) {
        removeFromMany(number, targets.array.compactMap { $0 as? NSManagedObject })
    }

    // MARK: Places of an ordered relationship

    /// Inserts an object at an index; one that is a member already stays where it is.
    public func insertIntoMany(_ number: Int, _ target: NSManagedObject, at index: Int) {
        insertRelated(target, slot(number), at: index)
    }

    /// Inserts objects so that they have the given indexes afterwards; those that are members already stay where they
    /// are.
    public func insertIntoMany(_ number: Int, _ targets: [NSManagedObject], at indexes: IndexSet) {
        insertRelated(targets, slot(number), at: indexes)
    }

    /// Removes the member at an index.
    public func removeFromMany(_ number: Int, at index: Int) { removeRelated(at: [index], slot(number)) }

    /// Removes the members at some indexes.
    public func removeFromMany(_ number: Int, at indexes: IndexSet) { removeRelated(at: indexes, slot(number)) }

    /// Replaces the member at an index by an object; one that is a member elsewhere moves.
    public func replaceInMany(_ number: Int, at index: Int, with target: NSManagedObject) {
        replaceRelated(at: [index], with: [target], slot(number))
    }

    /// Replaces the members at some indexes by objects; those that are members elsewhere move.
    public func replaceInMany(_ number: Int, at indexes: IndexSet, with targets: [NSManagedObject]) {
        replaceRelated(at: indexes, with: targets, slot(number))
    }
}
