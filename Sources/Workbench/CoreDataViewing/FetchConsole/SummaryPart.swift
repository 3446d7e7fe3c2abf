import CoreData

/// A value that is fetched for each of the store's groups, such that groups can be merged.
struct SummaryPart {
    let name: String
    let function: SummaryAggregate.Function
    let description: NSExpressionDescription

    private init(_ aggregate: SummaryAggregate, _ function: SummaryAggregate.Function, suffix: String = "") {
        name = aggregate.name + suffix
        self.function = function
        description = aggregate.description(named: name, function)
    }

    /// The parts of an aggregate: an average needs a sum and a count; `distinct` is fetched by a request of its own.
    static func parts(of aggregate: SummaryAggregate) -> [SummaryPart] {
        switch aggregate.function {
        case .distinct: []
        case .average:
            // A blank makes the names unique, since property names contain none. Dates cannot be summed, so their mean
            // is used.
            aggregate.route?.attributeKind == .date
                ? [
                    SummaryPart(aggregate, .average, suffix: " mean"),
                    SummaryPart(aggregate, .count, suffix: " number"),
                ]
                : [SummaryPart(aggregate, .sum, suffix: " sum"), SummaryPart(aggregate, .count, suffix: " number")]
        default: [SummaryPart(aggregate, aggregate.function)]
        }
    }

    /// The part's value for two groups merged into one.
    func joined(_ left: Any?, _ right: Any?) -> Any? {
        guard let left, !(left is NSNull) else { return right }
        guard let right, !(right is NSNull) else { return left }
        switch function {
        case .min: return SummaryOrder.precedes(left, right) ? left : right
        case .max: return SummaryOrder.precedes(left, right) ? right : left
        case .count, .sum, .average, .distinct: return Self.sum(left, right)
        }
    }

    private static func sum(_ left: Any, _ right: Any) -> Any? {
        if let left = left as? NSDecimalNumber, let right = right as? NSDecimalNumber { return left.adding(right) }
        guard let left = left as? NSNumber, let right = right as? NSNumber else { return left }
        if let first = Int64(exactly: left), let second = Int64(exactly: right) {
            let (sum, isTooGreat) = first.addingReportingOverflow(second)
            if !isTooGreat { return NSNumber(value: sum) }
        }
        return NSNumber(value: left.doubleValue + right.doubleValue)
    }
}

/// The order of values of one column.
enum SummaryOrder {
    /// Whether a value comes before another: nil first, numbers and dates by size, texts by their UTF-8 bytes.
    static func precedes(_ left: Any?, _ right: Any?) -> Bool {
        switch (left, right) {
        case (_, nil): false
        case (nil, _): true
        case (let left as Date, let right as Date): left < right
        case (let left as NSDecimalNumber, let right as NSDecimalNumber): left.compare(right) == .orderedAscending
        case (let left as NSNumber, let right as NSNumber): left.compare(right) == .orderedAscending
        default: "\(left ?? "")".utf8.lexicographicallyPrecedes("\(right ?? "")".utf8)
        }
    }
}
