import CoreDataStore

/// A predicate that handles nil as SQL does: neither a comparison with nil nor its negation holds.
///
/// Apple's SQLite store leaves `name != 'x'` and `NOT name == 'x'` to SQL, where both leave out rows with nil. Comparisons
/// with a nil constant test for nil there too. Conditions on elements of `ANY` and `ALL`, and functions, are not changed.
struct NullExclusion {
    private let entity: NSEntityDescription

    init(_ entity: NSEntityDescription) { self.entity = entity }

    /// The deepest nesting that stores take.
    private static let depth = 512

    func applied(to predicate: NSPredicate) -> NSPredicate { condition(PredicateNode(predicate), isNegated: false, 1) }

    /// What holds where a part does, or where it is known not to.
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
        // A comparison other than '!=' holds for no nil anyway, but for IN with nil in its list.
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

    /// Whether an expression is a path to one value.
    private func mayBeNil(_ expression: NSExpression) -> Bool {
        guard case .keyPath(nil, let path) = expression.form, let property = ComparedProperty(path, from: entity) else {
            return false
        }
        return !property.isCollection && !path.contains("@")
    }
}
