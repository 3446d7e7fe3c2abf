import CoreDataGraph
import Foundation

extension PredicateExpressions.Conjunction: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let (one, other) = (try scope.condition(lhs), try scope.condition(rhs))
        return .condition(conjunction([one.holding, other.holding]), "&&")
    }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let (one, other) = (try scope.condition(lhs), try scope.condition(rhs))
        return .condition(disjunction([one.holding, other.holding]), "||")
    }
}

extension PredicateExpressions.Negation: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let term = try scope.term(wrapped)
        return .condition(try term.condition().failing, "!\(term.text)")
    }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let test = try scope.condition(self.test)
        let (one, other) = (try scope.term(trueBranch), try scope.term(falseBranch))
        return try .choice(test.holding, one, other, type: Output.self, scope)
    }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let term = try scope.term(wrapped)
        scope.bind(variable.key, to: term)
        let result = try scope.term(transform)
        guard case .condition(let condition) = result.form else { return result }
        let present = negation(try Equality.predicate(term, .constant(nil), scope))
        let defined = condition.definedWhen.map { conjunction([present, $0]) } ?? present
        let holding = conjunction([present, condition.holding])
        return PredicateTerm(
            .condition(Condition(holding: holding, definedWhen: defined)), type: Bool?.self, text: result.text)
    }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let (one, other) = (try scope.term(lhs), try scope.term(rhs))
        guard !one.isNil else { return other }
        let present: NSPredicate
        if case .condition(let condition) = one.form {
            present = condition.definedWhen ?? NSPredicate(value: true)
        } else {
            present = negation(try Equality.predicate(one, .constant(nil), scope))
        }
        return try .choice(present, one, other, type: Output.self, scope)
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm { try scope.term(inner) }
}

extension PredicateExpressions.ConditionalCast: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        try .cast(try scope.term(input), to: Desired.self, scope)
    }
}

extension PredicateExpressions.ForceCast: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        try .cast(try scope.term(input), to: Desired.self, scope)
    }
}

extension PredicateTerm {
    static func condition(_ holding: NSPredicate, _ text: String) -> PredicateTerm {
        PredicateTerm(.condition(Condition(holding: holding)), type: Bool.self, text: text)
    }

    /// One of two terms, by a condition.
    static func choice(
        _ test: NSPredicate, _ one: PredicateTerm, _ other: PredicateTerm, type: Any.Type, _ scope: PredicateScope
    ) throws -> PredicateTerm {
        let text = "the choice of \(one.text) and \(other.text)"
        if type == Bool.self {
            let (first, second) = (try one.condition(), try other.condition())
            return .condition(
                disjunction([conjunction([test, first.holding]), conjunction([negation(test), second.holding])]), text)
        }
        let expression = NSExpression(
            forConditional: test, trueExpression: try one.expression(scope),
            falseExpression: try other.expression(scope))
        return PredicateTerm(.expression(expression), type: type, text: text)
    }

    /// The term as another type: the same value where the types are one, or one is the optional of the other; a model
    /// as one of another class.
    static func cast(_ term: PredicateTerm, to type: Any.Type, _ scope: PredicateScope) throws -> PredicateTerm {
        if let cast = try ModelCast(term, to: type, scope) { return cast.term }
        let own = (term.type as? any OptionalType.Type)?.wrapped ?? term.type
        let wanted = (type as? any OptionalType.Type)?.wrapped ?? type
        guard own == wanted else {
            throw unsupported("\(term.text) as \(type)", "changes the type of a stored value, which a store does not.")
        }
        return term
    }
}
