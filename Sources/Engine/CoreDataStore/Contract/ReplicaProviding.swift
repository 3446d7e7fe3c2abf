/// Reading copies of a store that follow it with a short lag; see `ObjectStore.replicas`.
///
/// May be used from any thread, also while the store is written to.
package protocol ReplicaProviding: AnyObject, Sendable {
    /// A reader at a copy, for one thread and one query or the queries of one fetch; nil if none is available now, so that the store
    /// itself must be used.
    ///
    /// It reads a state that is not older than the store allows, that includes everything saved through the store, and the history
    /// up to a transaction, if one is given. If its copy is behind that, or cannot answer, it throws `ReplicaRefusal`.
    func checkOut(havingHistoryThrough transaction: Int64?) -> (any PooledReader)?
}

/// A copy of a store cannot answer: use another one, or the store itself.
package struct ReplicaRefusal: Error {
    /// The underlying error.
    package let cause: any Error

    package init(_ cause: any Error) { self.cause = cause }
}
