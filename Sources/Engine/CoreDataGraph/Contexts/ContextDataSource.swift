import CoreDataStore

/// The source of a context's rows: the stores of its coordinator, or its parent context.
///
/// Each context has one, which also knows the query generation that the context is pinned to. Used on the context's
/// queue. Its methods throw the error of a store that cannot be read.
protocol ContextDataSource: AnyObject {
    /// Whether the source has a record of an object, so that values not read yet can be asked for.
    func knows(_ object: NSManagedObject) -> Bool

    /// The row that fills a fault; nil if the record does not exist.
    func rowOfFault(_ object: NSManagedObject) throws -> RowSnapshot?

    /// The newest known row of a record, which may be of any entity with the same root; nil if it does not exist.
    func row(_ binding: EntityBinding, key: Int64) throws -> RowSnapshot?

    /// The row of a record if it is in memory and at most `maximumAge` seconds old; of any age if `maximumAge` is
    /// negative.
    func knownRow(_ binding: EntityBinding, key: Int64, maximumAge: TimeInterval) -> RowSnapshot?

    /// The rows of records of one hierarchy, in no order; keys without a record are left out.
    func rows(_ binding: EntityBinding, keys: [Int64]) throws -> [RowSnapshot]

    /// Drops what is cached of an object's row, so that the next reading of it has the current values.
    func forgetRow(of object: NSManagedObject)

    /// The members of a to-many relationship of one object, in their order if it is ordered.
    func members(of relationship: NSRelationshipDescription, owner: NSManagedObject) throws -> AddressList

    /// The members of a to-many relationship of many objects, by their owners, with one query per store.
    func members(
        of relationship: NSRelationshipDescription, owners: [NSManagedObject]
    ) throws -> [ObjectIdentifier: [NSManagedObject]]

    /// Which of some owners have a number of members that the relationship does not allow.
    ///
    /// Counts without reading the members' rows, except where members in the context may have left an unchanged owner.
    func ownersBreakingCount(
        of relationship: NSRelationshipDescription, among owners: [NSManagedObject]
    ) throws -> Set<ObjectIdentifier>
}

/// Which objects have too few or too many members in relationships that the context neither read nor changed.
struct MemberCounts {
    /// The identities of objects, by the identities of relationships.
    private let breaking: [ObjectIdentifier: Set<ObjectIdentifier>]

    init(breaking: [ObjectIdentifier: Set<ObjectIdentifier>]) { self.breaking = breaking }

    func contains(_ object: NSManagedObject, _ relationship: NSRelationshipDescription) -> Bool {
        breaking[ObjectIdentifier(relationship)]?.contains(ObjectIdentifier(object)) == true
    }
}

extension NSRelationshipDescription {
    /// Whether the model's minimum and maximum forbid a number of members; an optional relationship may also be empty.
    func refuses(count: Int) -> Bool {
        if count == 0, isOptional { return false }
        return count < minCount || maxCount > 0 && count > maxCount
    }

    /// A predicate for those of some objects that have too few or too many members.
    func countPredicate(among owners: [NSManagedObject]) -> NSPredicate {
        let count = NSExpression(forKeyPath: name + ".@count")
        func compare(_ type: NSComparisonPredicate.Operator, _ number: Int) -> NSPredicate {
            NSComparisonPredicate(
                leftExpression: count, rightExpression: NSExpression(forConstantValue: number), modifier: .direct,
                type: type)
        }
        var few: NSPredicate = compare(.lessThan, minCount)
        if isOptional { few = NSCompoundPredicate(andPredicateWithSubpredicates: [compare(.greaterThan, 0), few]) }
        let broken =
            maxCount > 0
            ? NSCompoundPredicate(orPredicateWithSubpredicates: [few, compare(.greaterThan, maxCount)]) : few
        let membership = NSComparisonPredicate(
            leftExpression: NSExpression.expressionForEvaluatedObject(),
            rightExpression: NSExpression(forConstantValue: owners.map(\.objectID)), modifier: .direct, type: .in)
        return NSCompoundPredicate(andPredicateWithSubpredicates: [membership, broken])
    }
}
