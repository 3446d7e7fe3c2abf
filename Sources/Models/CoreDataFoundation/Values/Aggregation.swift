/// The functions that compute one value from many; nil values are ignored, as in SQL.
package enum Aggregation {
    case count
    case sum
    case average
    case minimum
    case maximum
    case median
    case mode
    case standardDeviation

    /// The result of the function for a list of values.
    ///
    /// - Throws: `ExpressionError.wrongType` if a function that needs numbers receives another value.
    package func result(over values: [Any?]) throws -> Any? {
        let values = values.compactMap { ValueOrder.present($0) }
        switch self {
        case .count: return values.count
        case .sum: return Self.present(Self.sum(try numbers(values)))
        case .average: return try average(numbers(values)).flatMap { Self.present($0) }
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

    /// The sum, added in the order of the numbers, so that it does not depend on the order of a collection.
    ///
    /// Integers are summed exactly; only a total that does not fit 64 bits becomes a `Double`.
    static func sum(_ numbers: [ExactNumber]) -> ExactNumber {
        if let whole = wholeSum(numbers) { return whole }
        return numbers.sorted { $0.order(to: $1) == .orderedAscending }.reduce(.integer(0), Arithmetic.sum)
    }

    /// Sums integers exactly: the upper and lower 32 bits are added separately, so that neither sum overflows.
    private static func wholeSum(_ numbers: [ExactNumber]) -> ExactNumber? {
        var (upper, lower): (Int64, Int64) = (0, 0)
        for number in numbers {
            guard case .integer(let integer) = number else { return nil }
            upper += integer >> 32
            lower += integer & 0xFFFF_FFFF
        }
        return joined(upper: upper, lower: lower)
    }

    /// The total of the sums of upper and lower halves; a `Double` if it does not fit 64 bits.
    package static func joined(upper: Int64, lower: Int64) -> ExactNumber {
        let (shifted, isTooLarge) = upper.multipliedReportingOverflow(by: 1 << 32)
        let (sum, overflows) = shifted.addingReportingOverflow(lower)
        return isTooLarge || overflows ? .double(Double(upper) * 0x1p32 + Double(lower)) : .integer(sum)
    }

    /// The value of a result; nil for NaN, as in SQL.
    static func present(_ number: ExactNumber) -> Any? {
        if case .double(let double) = number, double.isNaN { return nil }
        return number.value
    }

    private func average(_ numbers: [ExactNumber]) -> ExactNumber? { average(numbers, count: numbers.count) }

    func average(_ numbers: [ExactNumber], count: Int) -> ExactNumber? {
        guard count > 0 else { return nil }
        let sum = Self.sum(numbers)
        if case .decimal(let decimal) = sum { return .decimal(decimal / Decimal(count)) }
        return .double(sum.double / Double(count))
    }

    private func extreme(_ values: [Any], _ wanted: ComparisonResult) -> Any? {
        let ordered = Self.inOrder(values)
        guard var best = ordered.first else { return nil }
        for value in ordered.dropFirst() where ValueOrder.order(value, best) == wanted { best = value }
        return best
    }

    /// The values without decimal NaN, which has no order among numbers; all values if there are no others.
    package static func inOrder(_ values: [Any]) -> [Any] {
        let numbers = values.filter { !(ExactNumber($0)?.isDecimalNaN ?? false) }
        return numbers.isEmpty ? values : numbers
    }

    func median(_ numbers: [ExactNumber]) -> Any? {
        let inOrder = numbers.contains { !$0.isDecimalNaN } ? numbers.filter { !$0.isDecimalNaN } : numbers
        let sorted = inOrder.sorted { $0.order(to: $1) == .orderedAscending }
        guard !sorted.isEmpty else { return nil }
        let middle = sorted.count / 2
        guard sorted.count.isMultiple(of: 2) else { return sorted[middle].value }
        return average([sorted[middle - 1], sorted[middle]]).flatMap { Self.present($0) }
    }

    /// All values that occur most often.
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

    func standardDeviation(_ numbers: [ExactNumber]) -> Double? {
        guard let mean = average(numbers)?.double else { return nil }
        let numbers = numbers.sorted { $0.order(to: $1) == .orderedAscending }
        let squares = numbers.map { ($0.double - mean) * ($0.double - mean) }
        let deviation = (squares.reduce(0, +) / Double(numbers.count)).squareRoot()
        return deviation.isNaN ? nil : deviation
    }
}
