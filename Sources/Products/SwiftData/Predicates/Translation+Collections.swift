import CoreDataGraph
import Foundation

extension PredicateExpressions.SequenceContains: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let (elements, wanted) = (try scope.term(sequence), try scope.term(element))
        let text = "\(elements.text).contains(\(wanted.text))"
        if LHS.Output.self == String.self {
            return try PredicateTerm.text(elements, .contains, wanted, [], name: "contains", scope)
        }
        if case .range(let lower, let upper, let isClosed) = elements.form {
            return .condition(try bounded(lower, upper, isClosed, wanted, scope), text)
        }
        if case .value(let value) = elements.form, let plan = wanted.composite {
            let values = (unwrapped(value) as? [Any]) ?? (unwrapped(value) as? Set<AnyHashable>)?.map(\.base) ?? []
            let parts = try values.map { try Equality.predicate(wanted, .constant($0), scope) }
            return .condition(parts.isEmpty ? NSPredicate(value: false) : disjunction(parts), "\(plan.type)")
        }
        return .condition(comparison(try wanted.expression(scope), .in, try elements.expression(scope)), text)
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let elements = try scope.selected(try scope.term(sequence), variable, "contains(where:)") { scope in
            try scope.condition(test).holding
        }
        let count = NSExpression(.function(.count, arguments: [try elements.expression(scope)]))
        return .condition(comparison(count, .greaterThan, NSExpression(forConstantValue: 0)), elements.text)
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let elements = try scope.selected(try scope.term(sequence), variable, "allSatisfy(_:)") { scope in
            negation(try scope.condition(test).holding)
        }
        let count = NSExpression(.function(.count, arguments: [try elements.expression(scope)]))
        return .condition(equal(count, NSExpression(forConstantValue: 0)), elements.text)
    }
}

extension PredicateExpressions.Filter: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        try scope.selected(try scope.term(sequence), variable, "filter(_:)") { try $0.condition(filter).holding }
    }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let (lower, upper) = (try scope.term(lower), try scope.term(upper))
        return PredicateTerm(
            .range(lower: try lower.expression(scope), upper: try upper.expression(scope), isClosed: true),
            type: Output.self, text: "\(lower.text)...\(upper.text)")
    }
}

extension PredicateExpressions.Range: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let (lower, upper) = (try scope.term(lower), try scope.term(upper))
        return PredicateTerm(
            .range(lower: try lower.expression(scope), upper: try upper.expression(scope), isClosed: false),
            type: Output.self, text: "\(lower.text)..<\(upper.text)")
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let (range, element) = (try scope.term(range), try scope.term(element))
        guard case .range(let lower, let upper, let isClosed) = range.form else {
            throw unsupported("\(range.text).contains(\(element.text))", "has bounds that are not written in it.")
        }
        return .condition(
            try bounded(lower, upper, isClosed, element, scope), "\(range.text).contains(\(element.text))")
    }
}

private func bounded(
    _ lower: NSExpression, _ upper: NSExpression, _ isClosed: Bool, _ element: PredicateTerm, _ scope: PredicateScope
) throws -> NSPredicate {
    let element = try element.expression(scope)
    return conjunction([
        comparison(element, .greaterThanOrEqualTo, lower),
        comparison(element, isClosed ? .lessThanOrEqualTo : .lessThan, upper),
    ])
}

extension PredicateScope {
    /// The models of a relationship that a predicate selects.
    fileprivate mutating func selected<Element>(
        _ elements: PredicateTerm, _ variable: PredicateExpressions.Variable<Element>, _ name: String,
        _ predicate: (inout PredicateScope) throws -> NSPredicate
    ) throws -> PredicateTerm {
        let text = "\(elements.text).\(name)"
        guard Element.self is any PersistentModel.Type else {
            throw unsupported(text, "looks into values that are not models.")
        }
        let element = makeVariable()
        bind(variable.key, NSExpression(forVariable: element), Element.self, text: "\(elements.text) element")
        let subquery = NSExpression(
            forSubquery: try elements.expression(self), usingIteratorVariable: element,
            predicate: try predicate(&self))
        return PredicateTerm(.collection(subquery), type: [Element].self, text: text)
    }
}
