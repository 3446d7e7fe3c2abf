import CoreDataStore

/// The operations on objects that higher layers implement: validation, fetches, and notifying observers.
///
/// As with `ContextOperations`, open methods must be declared in the class, for programs to override, while their work stands
/// above: objects know it by these requirements alone. An object conforms in `Operations/`.
protocol ObjectOperations: AnyObject {
    // MARK: Classes

    /// What the class that a model names for an entity adds to the entity's layout.
    static func makeClassLayout(
        of entity: NSEntityDescription, _ places: [String: EntityLayout.Place]
    ) -> ClassLayout
    /// The table of properties of the nearest class with generated sources.
    static var generatedPropertyTable: PropertyTable { get }
    /// The table of properties that counts for the class.
    static var presentPropertyTable: PropertyTable { get }

    // MARK: Validation and fetches

    /// Checks every property, then the rules over several.
    func validateAllProperties() throws
    /// Checks every property whose value is known, and the limited numbers of members of the others.
    func validateKnownProperties() throws
    /// Checks that no relationship with the rule Deny has objects.
    func validateDenyRules() throws
    /// Checks a proposed value, which a rule of the class's own may replace.
    func checkValue(at value: AutoreleasingUnsafeMutablePointer<AnyObject?>, _ key: String) throws
    /// The result of a fetched property.
    func fetchedValue(of property: NSFetchedPropertyDescription) -> [NSManagedObject]

    // MARK: Proxies and what programs associate

    /// The members of an unordered to-many relationship as a set through which they are changed.
    func liveSet(_ key: String) -> NSMutableSet
    /// The members of an ordered to-many relationship as an ordered set through which they are changed.
    func liveOrderedSet(_ key: String) -> NSMutableOrderedSet
    /// Releases what programs have associated with the object, when the object is deallocated.
    func forgetAssociations()

    // MARK: Changes

    /// The properties changed since changes were last processed, with the values before.
    var changedInEvent: [String: Any] { get }

    // MARK: Observers, asked of objects with the flag `.observed` or `.tracked`

    /// Lets who tracks reads know that a property is read.
    func noteRead(_ place: ObservedPlace)
    /// Notifies observers of a change that is about to happen.
    func notifyWillChange(of change: PropertyChange)
    /// Notifies observers of a change that has happened.
    func notifyDidChange(of change: PropertyChange)
    /// Notifies the observers of a key of a change that is about to happen.
    func notifyWillChange(of key: String, by mutation: KeyMutation)
    /// Notifies the observers of a key of a change that has happened.
    func notifyDidChange(of key: String)
    /// Reports the exchange of members of a to-many relationship as one change; false without observers.
    func willReplaceMembers(_ number: Int, by targets: [NSManagedObject]) -> Bool
    /// Reports that the members of a to-many relationship have been exchanged.
    func didReplaceMembers(_ number: Int)
    /// Ends the sequences of an object that leaves its context.
    func endObservation()
    /// Releases the observers, when the object is deallocated.
    func forgetObservers()
}

extension NSManagedObject {
    /// The work that stands above objects.
    var operations: any ObjectOperations { self }
    /// The work on classes that stands above objects.
    static var operations: any ObjectOperations.Type { self }
}
