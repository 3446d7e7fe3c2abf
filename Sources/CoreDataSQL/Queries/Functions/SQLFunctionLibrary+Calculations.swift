import CoreDataGraph

extension SQLFunctionLibrary {
    /// The functions of expressions that SQL does not have, or not with the same results.
    static let calculated: [ExpressionFunction] = [
        .modulus, .squareRoot, .logarithm, .naturalLogarithm, .power, .exponential, .floor, .ceiling, .absolute,
        .truncate, .uppercase, .lowercase, .canonical, .length, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift,
        .rightShift, .onesComplement,
    ]

    /// Where a decimal takes part the result is decimal: 0.1 + 0.2 is 0.3, which binary fractions miss.
    static let decimalOperations: [ExpressionFunction] = [.add, .subtract, .multiply, .divide]

    static let calculations: [Function] = calculated.map { function in
        Function(name: name(of: function), argumentCount: function.arity ?? 1, isDeterministic: true) { arguments in
            try result(of: function, arguments.map { value(of: $0) })
        }
    }

    static let decimalCalculations: [Function] = decimalOperations.compactMap { function in
        decimalName(of: function).map { name in
            Function(name: name, argumentCount: 2, isDeterministic: true) { arguments in
                try result(of: function, arguments.map { decimal(of: $0) })
            }
        }
    }

    /// A sum from the sums of its summands' upper and lower halves; of no summands it is 0.
    static let sumOfHalves = Function(name: wholeSum, argumentCount: 2, isDeterministic: true) { arguments in
        guard case .integer(let upper) = arguments[0], case .integer(let lower) = arguments[1] else {
            return .integer(0)
        }
        let (shifted, isTooLarge) = upper.multipliedReportingOverflow(by: 1 << 32)
        let (sum, overflows) = shifted.addingReportingOverflow(lower)
        guard isTooLarge || overflows else { return .integer(sum) }
        return .real(Double(upper) * 0x1p32 + Double(lower))
    }

    private static func result(of function: ExpressionFunction, _ arguments: [Any?]) throws -> SQLParameter {
        guard !arguments.contains(where: { $0 == nil }) else { return .null }
        let constants = arguments.map { NSExpression(.constant($0)) }
        return parameter(for: try NSExpression(.function(function, arguments: constants)).value(on: nil))
    }

    private static func value(of parameter: SQLParameter) -> Any? {
        switch parameter {
        case .null, .blob: nil
        case .integer(let integer): integer
        case .real(let real): real
        case .text(let text): text
        }
    }

    /// A number as the decimal that it stands for; a text holds one of more digits than a double has.
    private static func decimal(of parameter: SQLParameter) -> Any? {
        switch parameter {
        case .null, .blob: nil
        case .integer(let integer): Decimal(integer)
        case .real(let real): ExactNumber.double(real).decimal ?? real
        case .text(let text): Decimal(string: text)
        }
    }

    private static func parameter(for value: Any?) -> SQLParameter {
        if let text = value as? String { return .text(text) }
        switch ExactNumber(value) {
        case .integer(let integer): return .integer(integer)
        case .unsigned(let unsigned): return .real(Double(unsigned))
        case .double(let double): return double.isNaN ? .null : .real(double)
        case .decimal(let decimal): return NumberBound(.decimal(decimal))?.parameter ?? .null
        case nil: return .null
        }
    }
}
