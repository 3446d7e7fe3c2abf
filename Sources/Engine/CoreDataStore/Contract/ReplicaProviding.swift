/// Reads replicas of a store, which follow the store with a short lag; see `ObjectStore.replicas`.
///
/// May be used from any thread, also while the store is written to.
package protocol ReplicaProviding: AnyObject, Sendable {
    /// A reader of a replica, for one thread and either one query or the queries of one fetch; nil if no replica is
    /// available now, so that the caller uses the store itself.
    ///
    /// The reader sees a state that is not older than the store allows and that includes everything saved through the
    /// store and, if `transaction` is not nil, the history up to this transaction. If the replica is behind that, or
    /// cannot answer, a read throws `ReplicaRefusal`.
    func checkOut(havingHistoryThrough transaction: Int64?) -> (any PooledReader)?
}

/// A replica cannot answer: the caller uses another replica, or the store itself.
package struct ReplicaRefusal: Error {
    /// The underlying error.
    package let cause: any Error

    package init(_ cause: any Error) { self.cause = cause }
}
