import CoreDataStore

/// A fetch request without its generic result type: all settings of the request.
open class UntypedFetchRequest: NSPersistentStoreRequest {
    var named: String?
    var given: NSEntityDescription?
    /// The text of a model's predicate that cannot be parsed; the request is refused until another predicate is set.
    var unreadablePredicate: String?

    /// The condition that fetched objects satisfy; nil for all objects.
    open var predicate: NSPredicate? { didSet { unreadablePredicate = nil } }

    /// The order of the result; undefined if nil.
    open var sortDescriptors: [NSSortDescriptor]?

    /// The greatest number of objects; 0 for no limit.
    open var fetchLimit = 0

    /// The number of objects to leave out at the beginning of the result.
    open var fetchOffset = 0

    /// The kind of results; by default managed objects.
    open var resultType: NSFetchRequestResultType = .managedObjectResultType

    /// Whether objects of subentities are fetched too; by default true.
    open var includesSubentities = true

    /// Whether the values are read together with the keys; by default true.
    open var includesPropertyValues = true

    /// Whether the result includes the context's unsaved changes; by default true.
    open var includesPendingChanges = true

    /// Whether objects that are new to the context are returned as faults, although their values were read; by default
    /// true.
    open var returnsObjectsAsFaults = true

    /// Whether registered objects without unsaved changes adopt the values just read; by default false.
    open var shouldRefreshRefetchedObjects = false

    /// Whether registered objects without unsaved changes adopt rows that are newer than their values.
    package var renewsOlderObjects = false

    /// Key paths of relationships to read together with the objects, such as `department.employees`.
    ///
    /// Each relationship on the paths is read with one query, together with the values of the related objects, which
    /// remain faults. A path that does not follow relationships makes the fetch throw.
    open var relationshipKeyPathsForPrefetching: [String]?

    /// The values to read: names and key paths as `String`, property descriptions, expression descriptions; nil for all
    /// attributes.
    ///
    /// If the results are dictionaries, these are their keys; the key of a nil value is left out. Expressions with
    /// aggregate functions (`sum:`, `average:`, `min:`, `max:`, `count:`, and, not in Apple's framework, `median:`,
    /// `mode:` and `stddev:`) return one dictionary for all rows, or one for each group; in groups they can also
    /// aggregate the members of a to-many relationship of all rows of the group. If the results are objects, only these
    /// properties are read; an object reads the others when one of them is first accessed. Expressions are allowed only
    /// for dictionaries.
    open var propertiesToFetch: [Any]?

    /// The values by which rows are grouped into one dictionary: names, to-one key paths, property descriptions.
    ///
    /// Only for dictionaries. Other fetched values and sort keys must then be aggregates.
    open var propertiesToGroupBy: [Any]?

    /// The condition that groups satisfy; requires `propertiesToGroupBy`.
    ///
    /// It may contain the values that rows are grouped by, aggregates, and the names of expression descriptions, as
    /// keys or variables.
    open var havingPredicate: NSPredicate?

    /// Whether equal dictionaries are returned only once; by default false. Sort keys must then be fetched values.
    ///
    /// Values of transformable attributes are equal if their stored bytes are equal.
    open var returnsDistinctResults = false

    /// The number of objects that are read at a time; 0 for all at once.
    open var fetchBatchSize = 0

    /// The entity to fetch; nil until it is set, or resolved from the entity's name.
    open var entity: NSEntityDescription? {
        get { given }
        set {
            given = newValue
            named = newValue?.name
        }
    }

    /// The name of the entity to fetch.
    open var entityName: String? { named }

    /// Returns a copy with the same settings.
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
        copy.renewsOlderObjects = renewsOlderObjects
        copy.fetchBatchSize = fetchBatchSize
        copy.propertiesToFetch = propertiesToFetch
        copy.propertiesToGroupBy = propertiesToGroupBy
        copy.havingPredicate = havingPredicate
        copy.returnsDistinctResults = returnsDistinctResults
        copy.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    }
}
