import CoreDataStore

/// Narrows what is read of a history to what a predicate can hold for, so that the store finds it by its keys.
///
/// It looks at comparisons that are joined by AND; the predicate itself is evaluated all the same.
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

    /// A bound by time stays: a store takes one of the two.
    private mutating func raise(to number: Int64) {
        // No number precedes the least one.
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
    /// The operator that holds for the sides when they are exchanged.
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
