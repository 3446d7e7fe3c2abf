import CoreDataGraph
import Foundation

/// A transaction of the history of a container's store.
public struct DefaultHistoryTransaction: HistoryTransaction, TranslatableProperties {
    public let author: String?
    /// The bundle identifier of the saving program; empty if it has none.
    public let bundleIdentifier: String
    /// The name of the saving process.
    public let processIdentifier: String
    public let storeIdentifier: String
    public let timestamp: Date
    public let token: DefaultHistoryToken
    /// The number of the transaction in the history.
    public let transactionIdentifier: Int64
    public let changes: [HistoryChange]

    init(_ transaction: NSPersistentHistoryTransaction) {
        author = transaction.author
        bundleIdentifier = transaction.bundleID
        processIdentifier = transaction.processID
        storeIdentifier = transaction.storeID
        timestamp = transaction.timestamp
        token = DefaultHistoryToken(transaction.token)
        let number = transaction.transactionNumber
        transactionIdentifier = number
        changes = (transaction.changes ?? []).compactMap { HistoryChange($0, transaction: number) }
    }

    /// The name under which Core Data's predicates have a property; nil for one that they lack.
    static func name(of path: AnyKeyPath) -> String? {
        switch path {
        case \DefaultHistoryTransaction.author: "author"
        case \DefaultHistoryTransaction.bundleIdentifier: "bundleID"
        case \DefaultHistoryTransaction.processIdentifier: "processID"
        case \DefaultHistoryTransaction.timestamp: "timestamp"
        case \DefaultHistoryTransaction.token: "token"
        case \DefaultHistoryTransaction.transactionIdentifier: "transactionNumber"
        default: nil
        }
    }
}
