import CoreDataStore

/// Where a context reads from: the stores of its coordinator, or its parent.
///
/// A context has one, which knows what the context is pinned to. Used on the context's queue. What it throws is the error of a store that cannot be read.
protocol ContextDataSource: AnyObject {
    /// Whether an object is known there, so that asking for what it has not read yet makes sense.
    func knows(_ object: NSManagedObject) -> Bool

    /// The row that fills a fault; nil when there is no such record.
    func rowOfFault(_ object: NSManagedObject) throws -> RowSnapshot?

    /// The newest known row of a record, which may be of any entity with the same root; nil when there is none.
    func row(_ binding: EntityBinding, key: Int64) throws -> RowSnapshot?

    /// The row of a record if having it costs nothing and it is young enough: any age does when `maximumAge` is negative.
    func knownRow(_ binding: EntityBinding, key: Int64, maximumAge: TimeInterval) -> RowSnapshot?

    /// The rows of records of one hierarchy, in no order; keys without a record are left out.
    func rows(_ binding: EntityBinding, keys: [Int64]) throws -> [RowSnapshot]

    /// Sees to it that the next reading of an object's row gives what is there by then.
    func forgetRow(of object: NSManagedObject)

    /// The members of a to-many relationship of one object, in their order if it is ordered.
    func members(of relationship: NSRelationshipDescription, owner: NSManagedObject) throws -> AddressList

    /// The members of a to-many relationship of many objects, by their owners, with one question a store.
    func members(
        of relationship: NSRelationshipDescription, owners: [NSManagedObject]
    ) throws -> [ObjectIdentifier: [NSManagedObject]]
}
