import Foundation

/// Which transactions of the history are fetched or deleted, and in which order.
///
/// The store answers predicates on the author, the time, the token, the number and the program of transactions; others
/// are evaluated in memory on all transactions.
public struct HistoryDescriptor<TransactionType: HistoryTransaction> {
    /// Which transactions; all if nil.
    public var predicate: Predicate<TransactionType>?
    /// The order; that of the commits if empty.
    public var sortBy: [SortDescriptor<TransactionType>]
    /// The greatest number of transactions; all if zero.
    public var fetchLimit: UInt64 = 0

    /// Describes the transactions that a predicate selects.
    public init(
        predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []
    ) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
