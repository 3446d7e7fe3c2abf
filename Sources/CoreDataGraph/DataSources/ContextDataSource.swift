import CoreDataStore

/// Where a context reads from: the stores of its coordinator, or its parent.
///
/// Used on the context's queue. What it throws is the error of a store that cannot be read.
protocol ContextDataSource {
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

    /// Those who answer a fetch, each by itself.
    func answerers(of fetch: FetchExecution) throws -> [any FetchAnswering]
}

/// One of those who answer a fetch, leaving aside what the fetching context has not saved.
protocol FetchAnswering {
    /// The objects found, in the order that the request asks for; a limit of 0 is none.
    func objects(limit: Int, offset: Int) throws -> [NSManagedObject]
    /// The number of objects that `objects(limit:offset:)` would give.
    func count(limit: Int, offset: Int) throws -> Int
    /// How many of some objects, as they are there, are among all that would be found without limit and offset.
    func count(among objects: [NSManagedObject]) throws -> Int
    /// The first records found with what a row says of each, all read by now.
    func piece(limit: Int) throws -> RecordPiece
    /// The places of the records found; no value is read.
    func addresses(limit: Int, offset: Int) throws -> AddressList
    /// The places of the records found, and the runs of equal values in a column; nil where only objects tell these.
    func scan(_ column: SectionColumn) throws -> SectionScan?
    /// The records found as they are in one snapshot, read when they are asked for; may be called on any thread.
    ///
    /// Their rows are known to nobody else. Who waits for a reader stops once `running` is interrupted.
    func source(limit: Int, offset: Int, for running: RunningSources) throws -> any RecordSource
}

extension NSManagedObjectContext {
    /// Where the context reads from.
    var dataSource: any ContextDataSource {
        if let parent { ParentDataSource(context: self, parent: parent) } else { StoreDataSource(context: self) }
    }
}
