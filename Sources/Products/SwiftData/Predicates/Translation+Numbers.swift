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

/// Core Data divides integers as Swift does, toward zero; a quotient by zero is nil there.
extension PredicateExpressions.IntDivision: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        try .function(.divide, [try scope.term(lhs), try scope.term(rhs)], type: Output.self, scope)
    }
}

extension PredicateExpressions.SequenceMaximum: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let elements = try scope.term(elements)
        guard case .value(let value as Elements.Output) = elements.form else {
            throw unsupported("\(elements.text).max()")
        }
        return .constant(value.max(), text: "\(elements.text).max()")
    }
}

extension PredicateExpressions.SequenceMinimum: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let elements = try scope.term(elements)
        guard case .value(let value as Elements.Output) = elements.form else {
            throw unsupported("\(elements.text).min()")
        }
        return .constant(value.min(), text: "\(elements.text).min()")
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
