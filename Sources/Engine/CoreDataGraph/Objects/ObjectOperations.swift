import CoreDataStore

/// Operations on objects that higher folders implement: validation, fetches, and notifying observers.
///
/// As with `ContextOperations`, open methods must be declared in the class so that programs can override them, while
/// higher folders implement them: the class calls the implementations only through these requirements.
/// `NSManagedObject` conforms in `Operations/`.
protocol ObjectOperations: AnyObject {
    // MARK: Classes

    /// Makes the part of an entity's layout that depends on the managed object class.
    static func makeClassLayout(
        of entity: NSEntityDescription, _ places: [String: EntityLayout.Place]
    ) -> ClassLayout
    /// The table of properties of the nearest class with generated sources.
    static var generatedPropertyTable: PropertyTable { get }
    /// The property table that is used for the class.
    static var presentPropertyTable: PropertyTable { get }

    // MARK: Validation and fetches

    /// Checks every property, then the entity's rules over several properties.
    func validateAllProperties() throws
    /// Checks every property whose value was read, and limited numbers of members of other relationships.
    func validateKnownProperties() throws
    /// Checks that no relationship with the delete rule Deny has objects.
    func validateDenyRules() throws
    /// Checks a proposed value, which a rule of the class may replace.
    func checkValue(at value: AutoreleasingUnsafeMutablePointer<AnyObject?>, _ key: String) throws
    /// Returns the result of a fetched property.
    func fetchedValue(of property: NSFetchedPropertyDescription) -> [NSManagedObject]

    // MARK: Proxies and what programs associate

    /// Returns a mutable set of the members of an unordered to-many relationship; changing it changes the relationship.
    func liveSet(_ key: String) -> NSMutableSet
    /// Returns a mutable ordered set of the members of an ordered to-many relationship; changing it changes the
    /// relationship.
    func liveOrderedSet(_ key: String) -> NSMutableOrderedSet
    /// Releases the values that programs have associated with the object, when the object is deallocated.
    func forgetAssociations()

    // MARK: Changes

    /// The properties changed since changes were last processed, with the values before.
    var changedInEvent: [String: Any] { get }

    // MARK: Observers, called for objects with the flag `.observed` or `.tracked`

    /// Reports that a property is read, for observation tracking.
    func noteRead(_ place: ObservedPlace)
    /// Notifies observers of a change that is about to happen.
    func notifyWillChange(of change: PropertyChange)
    /// Notifies observers of a change that has happened.
    func notifyDidChange(of change: PropertyChange)
    /// Notifies the observers of a key of a change that is about to happen.
    func notifyWillChange(of key: String, by mutation: KeyMutation)
    /// Notifies the observers of a key of a change that has happened.
    func notifyDidChange(of key: String)
    /// Announces to observers that all members of a to-many relationship are about to be replaced, as one change;
    /// returns false if there are no observers or nothing changes.
    func willReplaceMembers(_ number: Int, by targets: [NSManagedObject]) -> Bool
    /// Reports to observers that the members of a to-many relationship have been replaced.
    func didReplaceMembers(_ number: Int)
    /// Ends the asynchronous sequences of changes of an object that leaves its context.
    func endObservation()
    /// Releases the observers, when the object is deallocated.
    func forgetObservers()
}

extension NSManagedObject {
    /// The operations of an object.
    var operations: any ObjectOperations { self }
    /// The operations on classes of objects.
    static var operations: any ObjectOperations.Type { self }
}
