import CoreDataGraph

extension QueryTranslator {
    /// What a call of a predefined function stands for.
    mutating func operand(_ function: ExpressionFunction, _ arguments: [NSExpression]) throws -> Operand {
        let operands = try arguments.map { try operand($0) }
        switch function {
        case .noIndex: return operands[0]
        case .uppercase, .lowercase, .canonical, .length: return try textFunction(function, operands[0])
        case .sum, .count, .min, .max, .average: return try aggregate(function, operands)
        case .median, .mode, .standardDeviation, .now, .random, .randomBelow, .distinct, .element, .cast:
            throw QueryError(.unsupported, "the function \(function.rawValue) has no SQL")
        default: return try numeric(function, operands)
        }
    }

    private func textFunction(_ function: ExpressionFunction, _ operand: Operand) throws -> Operand {
        guard case .scalar(let value, .text) = operand else { throw unsuitable(function, operand) }
        let result = SQLExpression.call(SQLFunctionLibrary.name(of: function), [value])
        return .scalar(result, function == .length ? .number(.whole) : .text)
    }

    private func unsuitable(_ function: ExpressionFunction, _ operand: Operand) -> QueryError {
        QueryError(.unsuitableType, "the function \(function.rawValue) cannot use \(operand.typeName)")
    }

    private mutating func aggregate(_ function: ExpressionFunction, _ operands: [Operand]) throws -> Operand {
        guard operands.count == 1, case .collection(let collection) = operands[0] else {
            throw QueryError(.needsCollection, "the function \(function.rawValue) needs a to-many relationship")
        }
        let aggregate: SQLAggregate =
            switch function {
            case .sum: .sum
            case .min: .minimum
            case .max: .maximum
            case .average: .average
            default: .count
            }
        let (value, kind) = try self.aggregate(aggregate, of: collection)
        return .scalar(value, kind)
    }

    private func numeric(_ function: ExpressionFunction, _ operands: [Operand]) throws -> Operand {
        var values: [SQLExpression] = []
        var kinds: [NumberKind] = []
        for operand in operands {
            guard let (value, kind) = try argument(of: function, operand) else { return .constant(nil) }
            values.append(value)
            kinds.append(kind)
        }
        return .scalar(call(function, values, kinds), .number(Self.resultKind(of: function, kinds)))
    }

    /// A number as an argument; nil for nil, which makes the result nil.
    private func argument(
        of function: ExpressionFunction, _ operand: Operand
    ) throws -> (SQLExpression, NumberKind)? {
        switch operand {
        case .constant(nil): return nil
        case .constant(let value?): if let number = ExactNumber(value) { return argument(number) }
        case .scalar(let value, .number(let kind)): return (value, kind)
        default: break
        }
        throw unsuitable(function, operand)
    }

    /// A constant number; a decimal of more digits than a double has is a text, which only decimal functions are given.
    func argument(_ number: ExactNumber) -> (SQLExpression, NumberKind) {
        guard let bound = NumberBound(number) else { return (.parameter(.null), .real) }
        switch number {
        case .integer: return (.parameter(bound.parameter), .whole)
        case .unsigned, .double: return (.parameter(bound.parameter), .real)
        case .decimal(let decimal):
            return (.parameter(bound.exact ?? .text(decimal.description)), .decimal)
        }
    }

    private static let operators: [ExpressionFunction: SQLOperator] = [
        .add: .add, .subtract: .subtract, .multiply: .multiply, .divide: .divide, .modulus: .modulus,
        .bitwiseAnd: .and, .bitwiseOr: .or, .leftShift: .leftShift, .rightShift: .rightShift,
    ]

    private func call(
        _ function: ExpressionFunction, _ values: [SQLExpression], _ kinds: [NumberKind]
    ) -> SQLExpression {
        if kinds.contains(.decimal), let name = SQLFunctionLibrary.decimalName(of: function) {
            return .call(name, values)
        }
        let isWhole = kinds.allSatisfy { $0 == .whole }
        if let sign = Self.operators[function], isWhole || SQLFunctionLibrary.decimalName(of: function) != nil {
            return .arithmetic(sign, values[0], values[1])
        }
        if function == .onesComplement, isWhole { return .complement(values[0]) }
        return .call(SQLFunctionLibrary.name(of: function), values)
    }

    private static func resultKind(of function: ExpressionFunction, _ kinds: [NumberKind]) -> NumberKind {
        switch function {
        case .add, .subtract, .multiply, .divide: .result(kinds[0], kinds[1])
        case .floor, .ceiling, .truncate, .absolute: kinds[0]
        case .squareRoot, .logarithm, .naturalLogarithm, .power, .exponential: .real
        default: .whole
        }
    }
}
