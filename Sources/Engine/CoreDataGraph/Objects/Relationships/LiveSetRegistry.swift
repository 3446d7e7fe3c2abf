import CoreDataStore

/// A context's records about to-many relationships that are not in the owners: the mutable ordered sets that the
/// program has, and, for relationships without an inverse, the owner of each member.
///
/// Owners and sets are referenced weakly. Used on the context's queue only.
struct LiveSetRegistry {
    /// The owner of an ordered set and its relationship, or a member and the relationship that it is in.
    private struct Key: Hashable {
        let object: ObjectIdentifier
        let relationship: ObjectIdentifier
    }

    private struct Display {
        weak var set: (any MembersObserver)?
    }

    private var displays: [Key: Display] = [:]
    private var owners: [Key: WeakReference<NSManagedObject>] = [:]
    private var ownersBeforeSweep = 1024

    /// Returns the ordered set that shows the members of an object's relationship, if the program still retains it.
    func display(of owner: NSManagedObject, _ number: Int) -> (any MembersObserver)? {
        guard let display = displays[Self.key(owner, owner.layout.toMany[number])]?.set else { return nil }
        return display.owner === owner ? display : nil
    }

    mutating func add(_ display: any MembersObserver) {
        displays = displays.filter { $0.value.set != nil }
        displays[Self.key(display.owner, display.owner.layout.toMany[display.number])] = Display(set: display)
    }

    /// Returns the last known owner of a member of a relationship without an inverse.
    func owner(of member: NSManagedObject, _ relationship: NSRelationshipDescription) -> NSManagedObject? {
        owners[Self.key(member, relationship)]?.object
    }

    mutating func setOwner(
        _ owner: NSManagedObject, of member: NSManagedObject, _ relationship: NSRelationshipDescription
    ) {
        if owners.count > ownersBeforeSweep {
            owners = owners.filter { $0.value.object != nil }
            ownersBeforeSweep = max(1024, 2 * owners.count)
        }
        owners[Self.key(member, relationship)] = WeakReference(owner)
    }

    private static func key(_ object: NSManagedObject, _ relationship: NSRelationshipDescription) -> Key {
        Key(object: ObjectIdentifier(object), relationship: ObjectIdentifier(relationship))
    }
}
