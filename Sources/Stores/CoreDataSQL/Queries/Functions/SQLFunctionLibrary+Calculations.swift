import CoreDataStore

extension SQLFunctionLibrary {
    /// The expression functions that SQL lacks, or whose results in SQL differ from those in memory.
    static let calculated: [ExpressionFunction] = [
        .modulus, .squareRoot, .logarithm, .naturalLogarithm, .power, .exponential, .floor, .ceiling, .absolute,
        .truncate, .uppercase, .lowercase, .canonical, .length, .occurrences, .bitwiseAnd, .bitwiseOr, .bitwiseXor,
        .leftShift,
        .rightShift, .onesComplement,
    ]

    /// If one operand is a decimal, the result is a decimal: 0.1 + 0.2 is 0.3, which binary arithmetic does not give.
    static let decimalOperations: [ExpressionFunction] = [.add, .subtract, .multiply, .divide]

    static let calculations: [Function] = calculated.map { function in
        let isOfText = [.uppercase, .lowercase, .canonical, .length, .occurrences].contains(function)
        var made = Function(name: name(of: function), argumentCount: function.arity ?? 1, isDeterministic: true) {
            try result(of: function, $0.map { isOfText ? text(of: $0) : number(of: $0) })
        }
        made.realBody = realBody(of: function)
        return made
    }

    /// Returns the arithmetic of a function of one real number, with the same results as in memory; nil for other
    /// functions.
    private static func realBody(of function: ExpressionFunction) -> (@Sendable (Double) -> Double)? {
        switch function {
        case .floor: { $0.rounded(.down) }
        case .ceiling: { $0.rounded(.up) }
        case .truncate: { $0.rounded(.towardZero) }
        case .absolute: { $0 < 0 ? -$0 : $0 }
        default: nil
        }
    }

    /// The function that computes the search rank of a text for some words; 0 for NULL.
    static let rank = Function(name: name(of: .rank), argumentCount: 2, isDeterministic: true) { arguments in
        let (words, text) = (text(of: arguments[0]) as? String, text(of: arguments[1]))
        return .integer(Int64(SearchRank(words: words ?? "", keyPaths: [""]).value { _ in text }))
    }

    static let decimalCalculations: [Function] = decimalOperations.compactMap { function in
        decimalName(of: function).map { name in
            Function(name: name, argumentCount: 2, isDeterministic: true) { arguments in
                try result(of: function, arguments.map { decimal(of: $0) })
            }
        }
    }

    /// The function that computes a sum of integers from the sums of their upper and lower 32 bits; 0 if there are no
    /// integers.
    static let sumOfHalves = Function(name: wholeSum, argumentCount: 2, isDeterministic: true) { arguments in
        guard case .integer(let upper) = arguments[0], case .integer(let lower) = arguments[1] else {
            return .integer(0)
        }
        return parameter(for: Aggregation.joined(upper: upper, lower: lower).value)
    }

    /// The functions that compare numbers of which one may be a decimal with more digits than a real number has.
    static let exactComparisons: [Function] = [
        Function(name: order, argumentCount: 2, isDeterministic: true) { arguments in
            ValueOrder.order(number(of: arguments[0]), number(of: arguments[1])).map { .integer(Int64($0.rawValue)) }
                ?? .null
        },
        Function(name: isSame, argumentCount: 2, isDeterministic: true) { arguments in
            .integer(ValueOrder.areEqual(number(of: arguments[0]), number(of: arguments[1])) ? 1 : 0)
        },
    ]

    private static func result(of function: ExpressionFunction, _ arguments: [Any?]) throws -> SQLParameter {
        guard !arguments.contains(where: { $0 == nil }) else { return .null }
        let constants = arguments.map { NSExpression(.constant($0)) }
        return parameter(for: try NSExpression(.function(function, arguments: constants)).value(on: nil))
    }

    private static func text(of parameter: SQLParameter) -> Any? {
        if case .text(let text) = parameter { text } else { nil }
    }

    /// Returns the number of a parameter; a text contains a decimal with more digits than a double has.
    static func number(of parameter: SQLParameter) -> Any? {
        switch parameter {
        case .null, .blob: nil
        case .integer(let integer): integer
        case .real(let real): real
        case .text(let text): ExactNumber.decimal(of: text)
        }
    }

    /// Returns the number of a parameter as the decimal that it stands for.
    static func decimal(of parameter: SQLParameter) -> Any? {
        switch parameter {
        case .null, .blob: nil
        case .integer(let integer): Decimal(integer)
        case .real(let real): ExactNumber.double(real).decimal ?? real
        case .text(let text): ExactNumber.decimal(of: text)
        }
    }

    /// Returns the parameter that contains a value without loss.
    static func parameter(for value: Any?) -> SQLParameter {
        guard let value else { return .null }
        for kind in [ValueKind.text, .date, .data, .uuid, .url] {
            if let parameter = kind.parameter(for: value, options: []) { return parameter }
        }
        guard let number = ExactNumber(value) else { return .null }
        if number.isDecimalNaN { return NumberBound.decimalNaN }
        guard let bound = NumberBound(number) else { return .null }
        guard case .decimal(let decimal) = number else { return bound.parameter }
        return bound.exact ?? .text(decimal.description)
    }
}
