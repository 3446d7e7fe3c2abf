import CoreDataStore

/// Where the result type of a fetch request does not matter: everything that the request says.
open class UntypedFetchRequest: NSPersistentStoreRequest {
    var named: String?
    var given: NSEntityDescription?
    /// The text of a model's predicate that cannot be read; the request is then refused until it is given another.
    var unreadablePredicate: String?

    /// The condition that fetched objects meet; all objects when nil.
    open var predicate: NSPredicate? { didSet { unreadablePredicate = nil } }

    /// The order of the result; none is promised when nil.
    open var sortDescriptors: [NSSortDescriptor]?

    /// The greatest number of objects; no limit when 0.
    open var fetchLimit = 0

    /// How many objects at the start of the result to leave out.
    open var fetchOffset = 0

    /// What the fetch gives; managed objects at first.
    open var resultType: NSFetchRequestResultType = .managedObjectResultType

    /// Whether objects of sub-entities are fetched too; true at first.
    open var includesSubentities = true

    /// Whether the values are read together with the keys; true at first.
    open var includesPropertyValues = true

    /// Whether the result heeds what the context has not saved; true at first.
    open var includesPendingChanges = true

    /// Whether objects that are new to the context come as faults, whose values are read already; true at first.
    open var returnsObjectsAsFaults = true

    /// Whether registered objects take over the values just read, unless they have changes; false at first.
    open var shouldRefreshRefetchedObjects = false

    /// Key paths of relationships to be read together with the objects, such as `department.employees`.
    ///
    /// Each relationship on the paths is read with one query, together with the values of the related objects, which
    /// remain faults. A path that does not follow relationships makes the fetch throw.
    open var relationshipKeyPathsForPrefetching: [String]?

    /// What to read: names and key paths as `String`, property descriptions, `NSExpressionDescription`s; all attributes
    /// when nil.
    ///
    /// With dictionaries as results these are their keys; a nil value leaves its key out. Expressions whose functions aggregate
    /// the rows (`sum:`, `average:`, `min:`, `max:`, `count:`, and beyond Apple's `median:`, `mode:` and
    /// `stddev:`) give one dictionary for all rows, or one a group, there also over the members that a to-many relationship of
    /// all rows of the group has. With objects as results only these properties are
    /// read; an object reads the others at the first access to one of them. Expressions are allowed only with
    /// dictionaries.
    open var propertiesToFetch: [Any]?

    /// What rows with equal values are one dictionary by: names, key paths along relationships to one, descriptions.
    ///
    /// Only for dictionaries. What else is fetched or sorted by must then be an aggregate.
    open var propertiesToGroupBy: [Any]?

    /// The condition that groups meet; needs `propertiesToGroupBy`.
    ///
    /// It may name what is grouped by and aggregates, and expression descriptions by their names, as keys or as variables.
    open var havingPredicate: NSPredicate?

    /// Whether equal dictionaries are given once; false at first. They can then be sorted by what they contain only.
    ///
    /// Values that a transformer made are equal where the store has the same bytes for them.
    open var returnsDistinctResults = false

    /// How many objects are read at a time; all at once when 0.
    open var fetchBatchSize = 0

    /// The entity to fetch, once it is known.
    open var entity: NSEntityDescription? {
        get { given }
        set {
            given = newValue
            named = newValue?.name
        }
    }

    /// The name of the entity to fetch.
    open var entityName: String? { named }

    /// A copy with the same settings; an immutable object is its own copy.
    override open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UntypedFetchRequest()
        copyValues(to: copy)
        return copy
    }

    func copyValues(to copy: UntypedFetchRequest) {
        copy.affectedStores = affectedStores
        copy.named = named
        copy.given = given
        copy.predicate = predicate
        copy.unreadablePredicate = unreadablePredicate
        copy.sortDescriptors = sortDescriptors
        copy.fetchLimit = fetchLimit
        copy.fetchOffset = fetchOffset
        copy.resultType = resultType
        copy.includesSubentities = includesSubentities
        copy.includesPropertyValues = includesPropertyValues
        copy.includesPendingChanges = includesPendingChanges
        copy.returnsObjectsAsFaults = returnsObjectsAsFaults
        copy.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
        copy.fetchBatchSize = fetchBatchSize
        copy.propertiesToFetch = propertiesToFetch
        copy.propertiesToGroupBy = propertiesToGroupBy
        copy.havingPredicate = havingPredicate
        copy.returnsDistinctResults = returnsDistinctResults
        copy.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    }
}
