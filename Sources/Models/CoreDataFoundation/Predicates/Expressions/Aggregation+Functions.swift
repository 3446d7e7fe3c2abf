extension Aggregation {
    /// The result of an aggregate function on numbers; `count` is the divisor of an average, since `numbers` may be
    /// partial sums.
    package static func result(
        of function: ExpressionFunction, over numbers: [ExactNumber], count: Int
    ) throws -> Any? {
        switch function {
        case .sum: return present(sum(numbers))
        case .average: return Self.average.average(numbers, count: count).flatMap { present($0) }
        case .median: return median.median(numbers)
        case .standardDeviation: return standardDeviation.standardDeviation(numbers)
        default: throw ExpressionError.unsupported(function.rawValue)
        }
    }
}
