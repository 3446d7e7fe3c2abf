import CoreDataStore

/// Narrows a query of a history by a predicate, so that the store can use its indexes.
///
/// Considers comparisons joined by AND; the predicate is evaluated in addition for what the query finds.
struct HistoryQueryNarrowing {
    private(set) var query: HistoryQuery
    private let store: NSPersistentStore

    init(_ query: HistoryQuery, in store: NSPersistentStore) {
        self.query = query
        self.store = store
    }

    mutating func narrow(to predicate: NSPredicate) {
        switch predicate {
        case let comparison as NSComparisonPredicate: narrow(to: comparison)
        case let compound as Foundation.NSCompoundPredicate where compound.compoundPredicateType == .and:
            for part in compound.subpredicates { narrow(to: part) }
        default: return
        }
    }

    private mutating func narrow(to comparison: NSComparisonPredicate) {
        guard comparison.comparisonPredicateModifier == .direct else { return }
        let (left, right) = (comparison.leftExpression, comparison.rightExpression)
        if case .keyPath(nil, let key) = left.form, case .constant(let value?) = right.form {
            narrow(key, operation: comparison.predicateOperatorType, value: value)
        } else if case .keyPath(nil, let key) = right.form, case .constant(let value?) = left.form {
            narrow(key, operation: comparison.predicateOperatorType.mirrored, value: value)
        }
    }

    private mutating func narrow(_ key: String, operation: NSComparisonPredicate.Operator, value: Any) {
        switch (key, value) {
        case ("token", let number as Int64), ("transactionNumber", let number as Int64):
            narrow(operation, number)
        case ("token", let number as Int), ("transactionNumber", let number as Int):
            narrow(operation, Int64(number))
        case ("changedObjectID", let identifier as NSManagedObjectID) where operation == .equalTo:
            guard identifier.binding.store === store else { return }
            query.row = RowKey(table: identifier.binding.table, key: identifier.key)
        default: return
        }
    }

    private mutating func narrow(_ operation: NSComparisonPredicate.Operator, _ number: Int64) {
        switch operation {
        case .greaterThan: raise(to: number)
        case .greaterThanOrEqualTo: raise(to: number &- 1)
        case .lessThan: lower(to: number &- 1)
        case .lessThanOrEqualTo: lower(to: number)
        case .equalTo:
            raise(to: number &- 1)
            lower(to: number)
        default: return
        }
    }

    /// A query has either a time or a number as its lower bound; a time is left unchanged.
    private mutating func raise(to number: Int64) {
        // `.max` may be the least number minus 1, wrapped around: a bound below every number, which excludes nothing.
        guard number < .max else { return }
        switch query.after {
        case .number(let former)?: query.after = .number(max(former, number))
        case nil: query.after = .number(number)
        case .time?: return
        }
    }

    private mutating func lower(to number: Int64) {
        guard number < .max else { return }
        query.through = min(query.through ?? .max, number)
    }
}

extension NSComparisonPredicate.Operator {
    /// The operator for the comparison with its sides exchanged.
    fileprivate var mirrored: Self {
        switch self {
        case .lessThan: .greaterThan
        case .lessThanOrEqualTo: .greaterThanOrEqualTo
        case .greaterThan: .lessThan
        case .greaterThanOrEqualTo: .lessThanOrEqualTo
        default: self
        }
    }
}
