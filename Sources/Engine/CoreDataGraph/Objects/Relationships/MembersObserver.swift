import CoreDataStore

/// A collection of the program that shows the present members of a relationship; the relationship notifies it of every
/// change of them.
protocol MembersObserver: AnyObject {
    /// The object whose relationship is shown, and the relationship's number in the layout.
    var owner: NSManagedObject { get }
    var number: Int { get }
    /// The members that the store has.
    var storedMembers: [NSManagedObject] { get }

    /// Replaces the shown members by the present members of the relationship.
    func show(_ members: [NSManagedObject])
    /// Shows an object that has become the last member.
    func showAdded(_ member: NSManagedObject)
    /// Stops showing an object that is no longer a member.
    func showRemoved(_ member: NSManagedObject)
    /// Shows the stored members after the owner has dropped its list of members.
    func linksWereDropped()
}
