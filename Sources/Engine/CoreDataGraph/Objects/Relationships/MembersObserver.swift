import CoreDataStore

/// A collection that shows the program the present members of a relationship; it is notified of every change of them.
protocol MembersObserver: AnyObject {
    /// The object and the number of its relationship.
    var owner: NSManagedObject { get }
    var number: Int { get }
    /// What the store has as the members.
    var storedMembers: [NSManagedObject] { get }

    /// Takes the members as they are now.
    func show(_ members: [NSManagedObject])
    /// Takes over that an object has become the last member.
    func showAdded(_ member: NSManagedObject)
    /// Takes over that an object is not a member any more.
    func showRemoved(_ member: NSManagedObject)
    /// Takes what the store has, after the owner has forgotten its members.
    func linksWereDropped()
}
