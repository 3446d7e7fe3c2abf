import CoreDataStore

/// What a context remembers of to-many relationships beyond their owners: the ordered sets that show their members to
/// the program, and which owner has a member of a relationship without inverse.
///
/// Owners and sets are referenced weakly. Used on the context's queue only.
struct LiveSetRegistry {
    /// An object and one of its relationships, or a relationship and one of its members.
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

    /// The ordered set that shows the members of a relationship of an object, if the program still has it.
    func display(of owner: NSManagedObject, _ number: Int) -> (any MembersObserver)? {
        guard let display = displays[Self.key(owner, owner.layout.toMany[number])]?.set else { return nil }
        return display.owner === owner ? display : nil
    }

    mutating func add(_ display: any MembersObserver) {
        displays = displays.filter { $0.value.set != nil }
        displays[Self.key(display.owner, display.owner.layout.toMany[display.number])] = Display(set: display)
    }

    /// The owner that was last seen to have an object as member of a relationship without inverse.
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
