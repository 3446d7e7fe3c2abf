import CoreDataStore

/// Rewrites a predicate for nil as in SQL: neither a comparison with nil nor its negation is true.
///
/// Apple's SQLite store leaves `name != 'x'` and `NOT name == 'x'` to SQL, where both exclude rows with nil.
/// Comparisons with a nil constant are not changed: they test for nil there too. Neither are comparisons with `ANY` and
/// `ALL`, and of functions.
struct NullExclusion {
    private let entity: NSEntityDescription

    init(_ entity: NSEntityDescription) { self.entity = entity }

    /// The deepest nesting that stores support.
    private static let depth = 512

    func applied(to predicate: NSPredicate) -> NSPredicate { condition(PredicateNode(predicate), isNegated: false, 1) }

    /// A condition that is true if a part is true, or, if `isNegated`, if the part is false and does not depend on nil.
    private func condition(_ node: PredicateNode, isNegated: Bool, _ depth: Int) -> NSPredicate {
        guard depth < Self.depth else {
            return isNegated ? NSCompoundPredicate(notPredicateWithSubpredicate: node.predicate) : node.predicate
        }
        let part = { condition($0, isNegated: isNegated, depth + 1) }
        switch node {
        case .constant(let value): return PredicateNode.constant(value != isNegated).predicate
        case .not(let inner): return condition(inner, isNegated: !isNegated, depth + 1)
        case .and(let parts): return NSCompoundPredicate(type: isNegated ? .or : .and, subpredicates: parts.map(part))
        case .or(let parts): return NSCompoundPredicate(type: isNegated ? .and : .or, subpredicates: parts.map(part))
        case .comparison(let comparison): return condition(comparison, isNegated: isNegated)
        case .opaque(let predicate):
            return isNegated ? NSCompoundPredicate(notPredicateWithSubpredicate: predicate) : predicate
        }
    }

    private func condition(_ comparison: NSComparisonPredicate, isNegated: Bool) -> NSPredicate {
        let sides = [comparison.leftExpression, comparison.rightExpression]
        let plain =
            isNegated ? NSCompoundPredicate(notPredicateWithSubpredicate: comparison) : comparison as NSPredicate
        // A comparison other than '!=' is false for nil anyway, except IN with nil in its list.
        let canHoldForNil = isNegated != (comparison.predicateOperatorType == .notEqualTo)
        guard canHoldForNil, comparison.comparisonPredicateModifier == .direct, !sides.contains(where: isNil) else {
            return plain
        }
        let values = sides.filter(mayBeNil).map { side in
            NSComparisonPredicate(
                leftExpression: side, rightExpression: NSExpression(forConstantValue: nil), modifier: .direct,
                type: .notEqualTo)
        }
        return values.isEmpty ? plain : NSCompoundPredicate(andPredicateWithSubpredicates: [plain] + values)
    }

    private func isNil(_ expression: NSExpression) -> Bool {
        guard case .constant(let value) = expression.form else { return false }
        return value == nil || value is NSNull
    }

    /// Whether an expression is a key path with one value.
    private func mayBeNil(_ expression: NSExpression) -> Bool {
        guard case .keyPath(nil, let path) = expression.form, let property = ComparedProperty(path, from: entity) else {
            return false
        }
        return !property.isCollection && !path.contains("@")
    }
}
