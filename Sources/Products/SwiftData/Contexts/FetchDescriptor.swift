import Foundation

/// Which models a fetch returns, and in which order.
public struct FetchDescriptor<T: PersistentModel> {
    /// Which models; all if nil.
    public var predicate: Predicate<T>?
    /// The order of the models.
    public var sortBy: [SortDescriptor<T>]
    /// The greatest number of models.
    public var fetchLimit: Int?
    /// How many models are left out at the beginning.
    public var fetchOffset: Int?
    /// Whether unsaved changes of the context take part; true by default.
    public var includePendingChanges = true
    /// The relationships whose models are read together with the fetched ones.
    public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []
    /// The attributes that are read at once; all if empty. Others are read when they are used.
    public var propertiesToFetch: [PartialKeyPath<T>] = []

    /// Describes a fetch of the models that a predicate selects.
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
