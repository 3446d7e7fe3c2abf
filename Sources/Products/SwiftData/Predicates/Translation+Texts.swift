import CoreDataGraph
import Foundation

extension PredicateExpressions.StringLocalizedStandardContains: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        try PredicateTerm.text(
            try scope.term(root), .contains, try scope.term(other), [.caseInsensitive, .diacriticInsensitive],
            name: "localizedStandardContains", scope)
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let (one, other) = (try scope.term(root), try scope.term(other))
        return PredicateTerm(
            .order(try one.expression(scope), try other.expression(scope), .caseInsensitive),
            type: ComparisonResult.self, text: "\(one.text).caseInsensitiveCompare(\(other.text))")
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let (one, other) = (try scope.term(base), try scope.term(prefix))
        guard Base.Output.self == String.self else { throw unsupported("\(one.text).starts(with: \(other.text))") }
        return try PredicateTerm.text(one, .beginsWith, other, [], name: "starts", scope)
    }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let (one, other) = (try scope.term(base), try scope.term(other))
        guard Base.Output.self == String.self else { throw unsupported("\(one.text).contains(\(other.text))") }
        return try PredicateTerm.text(one, .contains, other, [], name: "contains", scope)
    }
}

extension PredicateTerm {
    /// A comparison of texts; every text contains the empty one, and begins with it.
    static func text(
        _ one: PredicateTerm, _ type: NSComparisonPredicate.Operator, _ other: PredicateTerm,
        _ options: NSComparisonPredicate.Options, name: String, _ scope: PredicateScope
    ) throws -> PredicateTerm {
        let holding = comparison(try one.expression(scope), type, try other.expression(scope), options)
        return .condition(holding, "\(one.text).\(name)(\(other.text))")
    }
}
