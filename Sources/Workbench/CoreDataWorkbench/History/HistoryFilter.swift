import CoreData

/// Which transactions of a history are wanted, and which of their changes.
package struct HistoryFilter {
    /// Only what comes after a number or a time.
    package var after: HistoryBound?
    /// Only what comes before a number or a time.
    package var before: HistoryBound?
    /// Only the transaction with this number.
    package var number: Int64?
    /// Only transactions of this author.
    package var author: String?
    /// Only changes of objects of this entity and of those that inherit from it, and transactions that have some.
    package var entity: NSEntityDescription?
    /// Only changes of the object that has this key in the entity's table; nil for all.
    package private(set) var key: Int64?
    /// The greatest number of transactions, the newest ones; 0 for all.
    package var limit = 0

    package init() {}

    /// Takes changes of one object alone, and transactions that have some.
    ///
    /// - Throws: `InspectionError` for a text that is not an address, or an entity that the model does not have.
    package mutating func takeObject(_ address: String, of model: NSManagedObjectModel) throws {
        let address = try ObjectAddress(address)
        var root = try model.entity(named: address.entity)
        while let above = root.superentity { root = above }
        (entity, key) = (root, address.key)
    }

    /// Whether a transaction is wanted, whatever its changes are.
    func takes(_ transaction: HistoryTransaction) -> Bool {
        if let number, transaction.number != number { return false }
        if let author, transaction.author != author { return false }
        // Times are compared here as well: a clock that went back puts earlier times behind later ones.
        switch after {
        case .number(let number)?: if transaction.number <= number { return false }
        case .time(let time)?: if transaction.time <= time { return false }
        case nil: break
        }
        return before.map { transaction.precedes($0) } ?? true
    }

    /// Whether a change of a transaction that is wanted is wanted too.
    func takes(_ change: HistoryChange) -> Bool {
        if let key, change.address?.key != key { return false }
        guard let entity else { return true }
        return change.address?.layout.entity.lineage.contains { $0.name == entity.name } ?? false
    }

    /// The part of the history in which everything is that is wanted, after another bound if there is one.
    func query(after other: HistoryBound?) -> HistoryQuery {
        var query = HistoryQuery(after: other ?? after)
        if case .number(let number)? = before { query.through = number.subtractingReportingOverflow(1).partialValue }
        guard let number else { return query }
        query.after = .number(number.subtractingReportingOverflow(1).partialValue)
        query.through = number
        return query
    }
}

extension HistoryBound {
    /// Reads the number of a transaction, or a date in ISO 8601; nil for another text.
    package init?(_ text: String) {
        if let number = Int64(text) {
            self = .number(number)
        } else if let date = ISODate.date(text) {
            self = .time(date.timeIntervalSinceReferenceDate)
        } else {
            return nil
        }
    }
}
