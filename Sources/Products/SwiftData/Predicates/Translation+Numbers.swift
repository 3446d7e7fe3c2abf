import CoreDataGraph
import Foundation

extension PredicateExpressions.Arithmetic: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let function: ExpressionFunction
        switch op {
        case .add: function = .add
        case .subtract: function = .subtract
        case .multiply: function = .multiply
        @unknown default: throw unsupported("an operation of arithmetic")
        }
        return try .function(function, [try scope.term(lhs), try scope.term(rhs)], type: Output.self, scope)
    }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        try .function(.divide, [try scope.term(lhs), try scope.term(rhs)], type: Output.self, scope)
    }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        try .function(.modulus, [try scope.term(lhs), try scope.term(rhs)], type: Output.self, scope)
    }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        try .function(.subtract, [.constant(0), try scope.term(wrapped)], type: Output.self, scope)
    }
}

extension PredicateTerm {
    static func function(
        _ function: ExpressionFunction, _ terms: [PredicateTerm], type: Any.Type, _ scope: PredicateScope
    ) throws -> PredicateTerm {
        let text = "\(function.rawValue)(\(terms.map(\.text).joined(separator: ", ")))"
        let arguments = try terms.map { try $0.expression(scope) }
        return PredicateTerm(
            .expression(NSExpression(.function(function, arguments: arguments))), type: type, text: text)
    }
}
