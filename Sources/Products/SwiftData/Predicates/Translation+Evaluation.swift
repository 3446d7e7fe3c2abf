import Foundation

extension PredicateExpressions.CapturedPredicate: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm { .constant(value, text: "a predicate") }
}

extension PredicateExpressions.PredicateEvaluate: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let term = try scope.term(predicate)
        guard case .value(let value as Condition.Output) = term.form else {
            throw unsupported("\(term.text).evaluate", "is no predicate that was captured.")
        }
        for (variable, argument) in repeat (each value.variable, each input) {
            scope.bind(variable.key, to: try scope.term(argument))
        }
        return .condition(try scope.condition(value.expression).holding, "a predicate")
    }
}
