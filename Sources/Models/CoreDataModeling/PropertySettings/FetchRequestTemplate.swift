/// A fetch request of a model: the plain values from which the object graph makes an `NSFetchRequest`.
package struct FetchRequestTemplate: Hashable, Sendable {
    package struct SortKey: Hashable, Sendable {
        package var key: String
        package var ascending: Bool
        /// The name of the comparison, such as `caseInsensitiveCompare:`, or nil for `compare:`.
        package var selector: String?

        package init(key: String, ascending: Bool, selector: String? = nil) {
            self.key = key
            self.ascending = ascending
            self.selector = selector
        }
    }

    package var entityName: String?
    /// The predicate as a format string; nil without one.
    package var predicateFormat: String?
    /// Whether the model has a predicate that has no format string; the request must then be refused.
    package var hasUnreadablePredicate = false
    package var sortKeys: [SortKey] = []
    /// The raw value of `NSFetchRequestResultType`: 0 objects, 1 identifiers, 2 dictionaries, 4 a count.
    package var resultType = 0
    package var fetchLimit = 0
    package var fetchOffset = 0
    package var fetchBatchSize = 0
    package var includesSubentities = true
    package var includesPropertyValues = true
    package var includesPendingChanges = true
    package var returnsObjectsAsFaults = true
    package var returnsDistinctResults = false

    package init(entityName: String?, predicateFormat: String? = nil) {
        self.entityName = entityName
        self.predicateFormat = predicateFormat
    }
}
