/// Reading copies of a store that follow it, and are behind it for moments; see `ObjectStore.replicas`.
///
/// May be used from any thread, also while the store is written to.
package protocol ReplicaProviding: AnyObject, Sendable {
    /// A reader at a copy, for one thread and one question or the questions of one fetch; nil where none can be had now, so that the store
    /// itself is to be asked.
    ///
    /// It answers of a state that is not older than the store allows, that has everything saved through the store, and the history
    /// up to a transaction, if one is given. Where its copy has not, or cannot answer, it throws `ReplicaRefusal`.
    func checkOut(havingHistoryThrough transaction: Int64?) -> (any PooledReader)?
}

/// A copy of a store cannot answer: use another one, or the store itself.
package struct ReplicaRefusal: Error {
    /// What kept it from answering.
    package let cause: any Error

    package init(_ cause: any Error) { self.cause = cause }
}
