extension Aggregation {
    /// The result of one of the functions for numbers for `count` numbers, some of which may have been added up already.
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
