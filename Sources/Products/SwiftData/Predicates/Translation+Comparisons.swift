import CoreDataGraph
import Foundation

extension PredicateExpressions.Equal: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let (one, other) = (try scope.term(lhs), try scope.term(rhs))
        let holding = try Equality.predicate(one, other, scope)
        return PredicateTerm(
            .condition(Condition(holding: holding)), type: Bool.self, text: "\(one.text) == \(other.text)")
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let (one, other) = (try scope.term(lhs), try scope.term(rhs))
        let holding = negation(try Equality.predicate(one, other, scope))
        return PredicateTerm(
            .condition(Condition(holding: holding)), type: Bool.self, text: "\(one.text) != \(other.text)")
    }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let (one, other) = (try scope.term(lhs), try scope.term(rhs))
        let type: NSComparisonPredicate.Operator
        switch op {
        case .lessThan: type = .lessThan
        case .lessThanOrEqual: type = .lessThanOrEqualTo
        case .greaterThan: type = .greaterThan
        case .greaterThanOrEqual: type = .greaterThanOrEqualTo
        @unknown default: throw unsupported("a comparison of \(one.text) and \(other.text)")
        }
        if [.greaterThan, .greaterThanOrEqualTo].contains(type),
            case .value(let token as any TranslatableToken) = other.form
        {
            scope.startingTokens.append(token)
        }
        let holding = comparison(try one.expression(scope), type, try other.expression(scope))
        return PredicateTerm(
            .condition(Condition(holding: holding)), type: Bool.self,
            text: "the comparison of \(one.text) and \(other.text)")
    }
}

/// Equality of two terms, by what they are.
enum Equality {
    static func predicate(
        _ one: PredicateTerm, _ other: PredicateTerm, _ scope: PredicateScope
    ) throws -> NSPredicate {
        if case .order = other.form { return try predicate(other, one, scope) }
        if case .order(let left, let right, let options) = one.form {
            return try ordered(left, right, options, other)
        }
        if other.isNil, let presence = one.presence { return negation(presence) }
        if one.isNil, let presence = other.presence { return negation(presence) }
        if let plan = one.composite { return try composite(plan, one, other, scope) }
        if let plan = other.composite { return try composite(plan, other, one, scope) }
        if let truth = try truth(one, other) ?? truth(other, one) { return truth }
        return equal(try one.expression(scope), try other.expression(scope))
    }

    /// A condition compared with true, false, nil or another condition.
    private static func truth(_ one: PredicateTerm, _ other: PredicateTerm) throws -> NSPredicate? {
        guard case .condition(let condition) = one.form else { return nil }
        if other.isNil { return condition.definedWhen.map(negation) ?? NSPredicate(value: false) }
        let expected = try other.condition()
        return disjunction([
            conjunction([condition.holding, expected.holding]), conjunction([condition.failing, expected.failing]),
        ])
    }

    /// The result of comparing texts, against one of its three values.
    private static func ordered(
        _ left: NSExpression, _ right: NSExpression, _ options: NSComparisonPredicate.Options, _ result: PredicateTerm
    ) throws -> NSPredicate {
        guard case .value(let value as ComparisonResult) = result.form else { throw unsupported(result.text) }
        switch value {
        case .orderedSame: return comparison(left, .equalTo, right, options)
        case .orderedAscending: return comparison(left, .lessThan, right, options)
        case .orderedDescending: return comparison(left, .greaterThan, right, options)
        }
    }

    /// An enumeration or a structure compared with a value or nil: element by element.
    private static func composite(
        _ plan: CompositePlan, _ term: PredicateTerm, _ other: PredicateTerm, _ scope: PredicateScope
    ) throws -> NSPredicate {
        guard case .value(let value) = other.form else {
            throw unsupported("\(term.text) == \(other.text)", "compares two values of several elements.")
        }
        let stored = try unwrapped(value).map { try plan.encode($0) } ?? [:]
        let parts = try plan.elements.map { element in
            let member = try term.member(element.name, type: element.type, text: term.text)
            return equal(try member.expression(scope), NSExpression(forConstantValue: stored[element.name]))
        }
        return conjunction(parts)
    }
}
