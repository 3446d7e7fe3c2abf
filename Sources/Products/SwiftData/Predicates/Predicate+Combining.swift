import Foundation

extension Predicate {
    /// A predicate that is true where all of some predicates are; always true for none.
    ///
    /// Has the name of Apple's until the toolchain's Foundation has it.
    public init(all predicates: [Predicate<repeat each Input>]) {
        self = predicates.dropFirst().reduce(predicates.first ?? .true) { $0.combined(with: $1, isConjunction: true) }
    }

    /// A predicate that is true where any of some predicates is; always false for none.
    ///
    /// Has the name of Apple's until the toolchain's Foundation has it.
    public init(any predicates: [Predicate<repeat each Input>]) {
        self = predicates.dropFirst().reduce(predicates.first ?? .false) { $0.combined(with: $1, isConjunction: false) }
    }

    private func combined(with other: Predicate<repeat each Input>, isConjunction: Bool) -> Predicate<repeat each Input>
    {
        typealias Evaluation = PredicateExpressions.PredicateEvaluate<
            PredicateExpressions.CapturedPredicate<repeat each Input>, repeat PredicateExpressions.Variable<each Input>
        >
        return Predicate<repeat each Input>({
            (input: repeat PredicateExpressions.Variable<each Input>) -> any StandardPredicateExpression<Bool> in
            let one = Evaluation(predicate: PredicateExpressions.CapturedPredicate(self), input: (repeat each input))
            let two = Evaluation(predicate: PredicateExpressions.CapturedPredicate(other), input: (repeat each input))
            if isConjunction { return PredicateExpressions.build_Conjunction(lhs: one, rhs: two) }
            return PredicateExpressions.build_Disjunction(lhs: one, rhs: two)
        })
    }
}
