import CoreDataSQL
import SQLiteKit

extension StoreFile {
    /// Makes this reader see a past state until it is released.
    ///
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` if a transaction to be excluded has no old values,
    ///   `NSPersistentHistoryTokenExpiredError` if one no longer exists.
    package func holdState(of past: PastState) throws {
        try holdState(atOnce: true)
        try reporting("be read as it was") {
            guard let transactions = try leftOut(by: past) else { return }
            // Only temporary tables of this connection are written.
            try connection.setPragma("query_only", to: .integer(0))
            defer { _ = try? connection.setPragma("query_only", to: .integer(1)) }
            try PastStateTables(connection, schema).make(leavingOut: transactions)
        }
    }

    /// Returns the transactions that the state excludes; nil for the present state.
    private func leftOut(by past: PastState) throws -> ClosedRange<Int64>? {
        let extent = try HistoryTables.extent(connection)
        let transactions: ClosedRange<Int64>
        switch past {
        case .after(let number):
            guard number < extent.newest else { return nil }
            guard extent.holdsAll(after: number) else { throw expired(number + 1) }
            transactions = (number + 1)...extent.newest
        case .without(let number):
            let isThere = try connection.value("SELECT 1 FROM ATRANSACTION WHERE Z_PK = ?", [.integer(number)])
            guard isThere != nil else { throw expired(number) }
            transactions = number...number
        }
        if let other = try transactionWithoutOldValues(in: transactions) {
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                "Transaction \(other) in the history of the store '\(url.path)' keeps no old values.",
                reason: "It was committed without CoreDataHistoryKeepsOldValuesOption.",
                hint: "Only what is committed with the option can be read as it was, and reverted.")
        }
        return transactions
    }

    private func transactionWithoutOldValues(in transactions: ClosedRange<Int64>) throws -> Int64? {
        let hasTables = OldValueTables.arePresent(in: try connection.catalog(columnsOf: []))
        let kept = hasTables ? " AND Z_PK NOT IN (SELECT ID FROM \(OldValueTables.transactions))" : ""
        return try connection.value(
            "SELECT min(Z_PK) FROM ATRANSACTION WHERE Z_PK BETWEEN ? AND ?\(kept)",
            [.integer(transactions.lowerBound), .integer(transactions.upperBound)])?.integer
    }

    private func expired(_ number: Int64) -> NSError {
        CoreDataError.make(
            NSPersistentHistoryTokenExpiredError,
            "Transaction \(number) is not in the history of the store '\(url.path)'.",
            reason: "It was deleted, or the store was replaced by an older copy.",
            hint: "Only states after the oldest kept transaction can be read.")
    }
}
