extension ExpressionFunction {
    /// The value of a call; nil if an argument of arithmetic or text is nil or the result is NaN, as in SQL.
    ///
    /// - Throws: `ExpressionError.wrongType` for an argument of another kind.
    func value(_ arguments: [Any?]) throws -> Any? {
        if let aggregation { return try aggregation.result(over: collected(arguments)) }
        switch self {
        case .now: return Date()
        case .noIndex: return arguments[0]
        case .random: return Double.random(in: 0..<1)
        case .randomBelow: return try randomNumber(below: arguments[0])
        case .distinct, .element: return try ofCollection(arguments)
        case .cast: return try cast(arguments[0], to: arguments[1])
        case .uppercase: return try text(arguments[0]).map { $0.uppercased() }
        case .lowercase: return try text(arguments[0]).map { $0.lowercased() }
        case .canonical: return try text(arguments[0]).map { TextFolding.folded($0, options: Self.canonicalOptions) }
        case .occurrences: return try occurrences(of: text(arguments[0]), in: text(arguments[1]))
        case .rank: return try rank(of: text(arguments[0]), in: text(arguments[1]))
        case .length: return try text(arguments[0]).map { $0.utf16.count }
        case .dayOfDate:
            let date: Date? = try argument(arguments[0])
            return date.flatMap { CalendarDay.number(of: $0.timeIntervalSinceReferenceDate) }
        default: return try numeric(arguments)
        }
    }

    private func occurrences(of words: String?, in text: String?) -> Int? {
        guard let words, let text else { return nil }
        return SearchWords.occurrences(of: words, in: text)
    }

    private func rank(of words: String?, in text: String?) -> Int {
        SearchRank(words: words ?? "", keyPaths: [""]).value { _ in text }
    }

    private static let canonicalOptions: NSComparisonPredicateOptions = [.caseInsensitive, .diacriticInsensitive]

    private var aggregation: Aggregation? {
        switch self {
        case .sum: .sum
        case .count: .count
        case .min: .minimum
        case .max: .maximum
        case .average: .average
        case .median: .median
        case .mode: .mode
        case .standardDeviation: .standardDeviation
        default: nil
        }
    }

    /// The values to aggregate: the elements of one collection, or the arguments themselves.
    private func collected(_ arguments: [Any?]) -> [Any?] {
        spread(arguments)
    }

    private func text(_ value: Any?) throws -> String? { try argument(value) }

    private func argument<Value>(_ value: Any?) throws -> Value? {
        guard let value = ValueOrder.present(value) else { return nil }
        guard let argument = value as? Value else { throw wrongType(value) }
        return argument
    }

    private func wrongType(_ value: Any) -> ExpressionError {
        .wrongType(operation: rawValue, type: String(describing: type(of: value)))
    }

    private func numeric(_ arguments: [Any?]) throws -> Any? {
        if arguments.contains(where: { $0 is Date }) { return try ofDates(arguments) }
        var numbers: [ExactNumber] = []
        for argument in arguments {
            guard let argument = ValueOrder.present(argument) else { return nil }
            guard let number = ExactNumber(argument) else { throw wrongType(argument) }
            numbers.append(number)
        }
        let result = numbers.count == 1 ? unary(numbers[0]) : binary(numbers[0], numbers[1])
        // NaN becomes nil, as in SQL.
        if case .double(let double) = result, double.isNaN { return nil }
        return result?.value
    }

    /// The result for dates: a date moved by a number of seconds, or the seconds between two dates.
    private func ofDates(_ arguments: [Any?]) throws -> Any? {
        let values = arguments.compactMap { ValueOrder.present($0) }
        guard values.count == arguments.count else { return nil }
        let seconds = values.map { ($0 as? Date)?.timeIntervalSinceReferenceDate ?? ExactNumber($0)?.double }
        guard seconds.count == 2, let left = seconds[0], let right = seconds[1] else { throw wrongType(values[0]) }
        switch (self, values[0] is Date, values[1] is Date) {
        case (.add, true, false), (.add, false, true): return Self.date(left + right)
        case (.subtract, true, false): return Self.date(left - right)
        case (.subtract, true, true): return (left - right).isNaN ? nil : left - right
        default: throw wrongType(values[0] is Date ? values[0] : values[1])
        }
    }

    private static func date(_ seconds: Double) -> Date? {
        seconds.isNaN ? nil : Date(timeIntervalSinceReferenceDate: seconds)
    }

    private func unary(_ number: ExactNumber) -> ExactNumber? {
        switch self {
        case .squareRoot: return .double(number.double.squareRoot())
        case .logarithm: return .double(log10(number.double))
        case .naturalLogarithm: return .double(log(number.double))
        case .exponential: return .double(exp(number.double))
        case .floor: return rounded(number, .down)
        case .ceiling: return rounded(number, .up)
        case .truncate: return rounded(number, .towardZero)
        case .absolute: return number.double < 0 ? number.negated : number
        case .onesComplement: return number.integer.map { .integer(~$0) }
        default: return nil
        }
    }

    private func rounded(_ number: ExactNumber, _ rule: FloatingPointRoundingRule) -> ExactNumber {
        switch number {
        case .integer, .unsigned: return number
        case .double(let value): return .double(value.rounded(rule))
        case .decimal(let value): return .decimal(rounded(value, rule))
        }
    }

    private func rounded(_ decimal: Decimal, _ rule: FloatingPointRoundingRule) -> Decimal {
        let mode: NSDecimalNumber.RoundingMode =
            switch rule {
            case .down: .down
            case .up: .up
            default: decimal < 0 ? .up : .down
            }
        var (source, result) = (decimal, Decimal())
        NSDecimalRound(&result, &source, 0, mode)
        return result
    }

    private func binary(_ left: ExactNumber, _ right: ExactNumber) -> ExactNumber? {
        switch self {
        case .add: return Arithmetic.sum(left, right)
        case .subtract: return Arithmetic.difference(left, right)
        case .multiply: return Arithmetic.product(left, right)
        case .divide: return Arithmetic.quotient(left, right)
        case .modulus: return Arithmetic.remainder(left, right)
        case .power: return .double(pow(left.double, right.double))
        default: return bitwise(left, right)
        }
    }

    private func bitwise(_ left: ExactNumber, _ right: ExactNumber) -> ExactNumber? {
        guard let left = left.integer, let right = right.integer else { return nil }
        switch self {
        case .bitwiseAnd: return .integer(left & right)
        case .bitwiseOr: return .integer(left | right)
        case .bitwiseXor: return .integer(left ^ right)
        case .leftShift: return .integer(left << right)
        case .rightShift: return .integer(left >> right)
        default: return nil
        }
    }
}
