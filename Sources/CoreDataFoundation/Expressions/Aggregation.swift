/// The functions that make one value of many; nil values do not count, as in SQL.
enum Aggregation {
    case count
    case sum
    case average
    case minimum
    case maximum
    case median
    case mode
    case standardDeviation

    /// The value over a list.
    ///
    /// - Throws: `ExpressionError.wrongType` where arithmetic meets something that is no number.
    func result(over values: [Any?]) throws -> Any? {
        let values = values.compactMap { ValueOrder.present($0) }
        switch self {
        case .count: return values.count
        case .sum: return try numbers(values).reduce(ExactNumber.integer(0), Arithmetic.sum).value
        case .average: return try average(numbers(values))?.value
        case .minimum: return extreme(values, .orderedAscending)
        case .maximum: return extreme(values, .orderedDescending)
        case .median: return try median(numbers(values))
        case .mode: return mode(values)
        case .standardDeviation: return try standardDeviation(numbers(values))
        }
    }

    private func numbers(_ values: [Any]) throws -> [ExactNumber] {
        try values.map { value in
            if let number = ExactNumber(value) { return number }
            throw ExpressionError.wrongType(operation: "\(self)", type: String(describing: type(of: value)))
        }
    }

    private func average(_ numbers: [ExactNumber]) -> ExactNumber? {
        guard !numbers.isEmpty else { return nil }
        let sum = numbers.reduce(ExactNumber.integer(0), Arithmetic.sum)
        if case .decimal(let decimal) = sum { return .decimal(decimal / Decimal(numbers.count)) }
        return .double(sum.double / Double(numbers.count))
    }

    private func extreme(_ values: [Any], _ wanted: ComparisonResult) -> Any? {
        guard var best = values.first else { return nil }
        for value in values.dropFirst() where ValueOrder.order(value, best) == wanted { best = value }
        return best
    }

    private func median(_ numbers: [ExactNumber]) -> Any? {
        let sorted = numbers.sorted { $0.order(to: $1) == .orderedAscending }
        guard !sorted.isEmpty else { return nil }
        let middle = sorted.count / 2
        guard sorted.count.isMultiple(of: 2) else { return sorted[middle].value }
        return average([sorted[middle - 1], sorted[middle]])?.value
    }

    /// Every value that occurs most often.
    private func mode(_ values: [Any]) -> [Any] {
        var counts: [(value: Any, count: Int)] = []
        for value in values {
            if let known = counts.firstIndex(where: { ValueOrder.areEqual($0.value, value) }) {
                counts[known].count += 1
            } else {
                counts.append((value, 1))
            }
        }
        let most = counts.map(\.count).max() ?? 0
        return counts.filter { $0.count == most }.map(\.value)
    }

    private func standardDeviation(_ numbers: [ExactNumber]) -> Double? {
        guard let mean = average(numbers)?.double else { return nil }
        let squares = numbers.map { ($0.double - mean) * ($0.double - mean) }
        return (squares.reduce(0, +) / Double(numbers.count)).squareRoot()
    }
}
