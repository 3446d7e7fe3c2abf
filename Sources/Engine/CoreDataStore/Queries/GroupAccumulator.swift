import CoreDataModeling

/// Applies an aggregate function to one value of each row of a group; ignores nil.
///
/// All stores use it, in memory and in SQL functions, so that their results are identical to the last digit.
package struct GroupAccumulator {
    private let function: ExpressionFunction
    private var count = 0
    /// The sums of the upper and lower halves of integers, neither of which can overflow; used until the first value
    /// that is not an integer.
    private var upper: Int64 = 0
    private var lower: Int64 = 0
    private var numbers: [ExactNumber] = []
    private var extreme: Any?
    private var frequencies: [ValueKey: (value: Any, count: Int)] = [:]
    private var isOfDates = false

    package init(_ function: ExpressionFunction) { self.function = function }

    /// Adds a row's value.
    ///
    /// - Throws: `ExpressionError.wrongType` for a value that the function cannot process.
    package mutating func add(_ value: Any?) throws {
        guard let value, !(value is NSNull) else { return }
        switch function {
        case .count: count += 1
        case .min: try keep(value, .orderedAscending)
        case .max: try keep(value, .orderedDescending)
        case .mode: frequencies[ValueKey(value), default: (value, 0)].count += 1
        default: try addNumber(value)
        }
    }

    private mutating func keep(_ value: Any, _ wanted: ComparisonResult) throws {
        guard let former = extreme else {
            guard ValueOrder.order(value, value) != nil else { throw wrongType(value) }
            extreme = value
            return
        }
        // A decimal NaN does not compare with numbers, so it is the minimum or maximum only if there is no number.
        if ValueOrder.order(value, former) == wanted || ExactNumber(former)?.isDecimalNaN == true { extreme = value }
    }

    /// Adds a number, or a date as its seconds since the reference date.
    private mutating func addNumber(_ value: Any) throws {
        let number: ExactNumber
        if let plain = ExactNumber(value) {
            number = plain
        } else if let date = value as? Date {
            number = .double(date.timeIntervalSinceReferenceDate)
            isOfDates = true
        } else {
            throw wrongType(value)
        }
        count += 1
        if needsNoList, case .integer(let integer) = number, numbers.isEmpty {
            upper += integer >> 32
            lower += integer & 0xFFFF_FFFF
        } else {
            if needsNoList, numbers.isEmpty, count > 1 {
                numbers.append(Aggregation.joined(upper: upper, lower: lower))
            }
            numbers.append(number)
        }
    }

    private var needsNoList: Bool { function == .sum || function == .average }

    private func wrongType(_ value: Any) -> ExpressionError {
        .wrongType(operation: function.rawValue, type: String(describing: type(of: value)))
    }

    /// The result for the values added; without values nil, but 0 for a count or a sum.
    ///
    /// If several values are equally frequent, the mode is the least of them.
    package func result() throws -> Any? {
        switch function {
        case .count: return count
        case .min, .max: return extreme
        case .mode: return mode
        default: break
        }
        let result = try number()
        guard isOfDates, function == .average || function == .median, let result, let seconds = ExactNumber(result)
        else { return result }
        return Date(timeIntervalSinceReferenceDate: seconds.double)
    }

    private func number() throws -> Any? {
        if needsNoList, numbers.isEmpty {
            let sum = Aggregation.joined(upper: upper, lower: lower)
            if function == .sum { return sum.value }
            return count == 0 ? nil : sum.double / Double(count)
        }
        return try Aggregation.result(of: function, over: numbers, count: count)
    }

    private var mode: Any? {
        let most = frequencies.values.map(\.count).max() ?? 0
        let values = Aggregation.inOrder(frequencies.values.filter { $0.count == most }.map(\.value))
        return values.min { ValueOrder.order($0, $1) == .orderedAscending }
    }
}
