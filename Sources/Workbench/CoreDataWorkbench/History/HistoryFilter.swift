import CoreData

/// Selects transactions of a history, and changes within them.
package struct HistoryFilter {
    /// Selects only transactions after a number or a time.
    package var after: HistoryBound?
    /// Selects only transactions before a number or a time.
    package var before: HistoryBound?
    /// Selects only the transaction with this number.
    package var number: Int64?
    /// Selects only transactions of this author.
    package var author: String?
    /// Selects only changes of objects of this entity and its subentities, and transactions with such changes.
    package var entity: NSEntityDescription?
    /// Selects only changes of the object with this primary key in the entity's table; nil for all.
    package private(set) var key: Int64?
    /// The greatest number of transactions, the newest ones; 0 for all.
    package var limit = 0

    package init() {}

    /// Limits the filter to changes of one object, and to transactions with such changes.
    ///
    /// - Throws: `InspectionError` for a text that is not an address, or an entity that the model does not have.
    package mutating func takeObject(_ address: String, of model: NSManagedObjectModel) throws {
        let address = try ObjectAddress(address)
        var root = try model.entity(named: address.entity)
        while let above = root.superentity { root = above }
        (entity, key) = (root, address.key)
    }

    /// Whether the filter selects a transaction, without regard to its changes.
    func takes(_ transaction: HistoryTransaction) -> Bool {
        if let number, transaction.number != number { return false }
        if let author, transaction.author != author { return false }
        // Times are compared here too, since later transactions have earlier times after a clock was set back.
        switch after {
        case .number(let number)?: if transaction.number <= number { return false }
        case .time(let time)?: if transaction.time <= time { return false }
        case nil: break
        }
        return before.map { transaction.precedes($0) } ?? true
    }

    /// Whether the filter selects a change of a selected transaction.
    func takes(_ change: HistoryChange) -> Bool {
        if let key, change.address?.key != key { return false }
        guard let entity else { return true }
        return change.address?.layout.entity.lineage.contains { $0.name == entity.name } ?? false
    }

    /// A query for a part of the history that contains all selected transactions, after `other` if it is not nil.
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
