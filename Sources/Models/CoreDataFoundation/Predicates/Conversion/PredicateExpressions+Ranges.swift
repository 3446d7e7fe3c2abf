/// Ranges of typed Swift predicates, written in the predicate or captured by it.
extension PredicateExpressions.RangeExpressionContains: ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        let value = try conversion.expression(element)
        guard let bounds = try (range as? any ConvertibleRange)?.bounds(&conversion) else {
            let kind = String(describing: RangeExpression.Output.self)
            throw PredicateConversionError(part: "a range of type \(kind)", reason: "its bounds cannot be told")
        }
        var parts: [NSPredicate] = []
        if let lower = bounds.lower {
            parts.append(PredicateConversion.comparison(value, type: .greaterThanOrEqualTo, right: lower))
        }
        if let upper = bounds.upper {
            let type: NSComparisonPredicate.Operator = bounds.includesUpper ? .lessThanOrEqualTo : .lessThan
            parts.append(PredicateConversion.comparison(value, type: type, right: upper))
        }
        return PredicateConversion.all(parts)
    }
}

struct ConvertedRange {
    var lower: NSExpression?
    var upper: NSExpression?
    var includesUpper: Bool
}

/// A part that is a range.
protocol ConvertibleRange {
    func bounds(_ conversion: inout PredicateConversion) throws -> ConvertedRange?
}

extension PredicateExpressions.Range: ConvertibleRange {
    func bounds(_ conversion: inout PredicateConversion) throws -> ConvertedRange? {
        ConvertedRange(
            lower: try conversion.expression(lower), upper: try conversion.expression(upper), includesUpper: false)
    }
}

extension PredicateExpressions.ClosedRange: ConvertibleRange {
    func bounds(_ conversion: inout PredicateConversion) throws -> ConvertedRange? {
        ConvertedRange(
            lower: try conversion.expression(lower), upper: try conversion.expression(upper), includesUpper: true)
    }
}

extension PredicateExpressions.Value: ConvertibleRange {
    func bounds(_ conversion: inout PredicateConversion) throws -> ConvertedRange? {
        (value as? any RangeValue)?.converted
    }
}

/// A range as a value.
protocol RangeValue {
    var converted: ConvertedRange { get }
}

extension Range: RangeValue {
    var converted: ConvertedRange {
        ConvertedRange(
            lower: NSExpression(forConstantValue: lowerBound), upper: NSExpression(forConstantValue: upperBound),
            includesUpper: false)
    }
}

extension ClosedRange: RangeValue {
    var converted: ConvertedRange {
        ConvertedRange(
            lower: NSExpression(forConstantValue: lowerBound), upper: NSExpression(forConstantValue: upperBound),
            includesUpper: true)
    }
}

extension PartialRangeFrom: RangeValue {
    var converted: ConvertedRange {
        ConvertedRange(lower: NSExpression(forConstantValue: lowerBound), upper: nil, includesUpper: false)
    }
}

extension PartialRangeThrough: RangeValue {
    var converted: ConvertedRange {
        ConvertedRange(lower: nil, upper: NSExpression(forConstantValue: upperBound), includesUpper: true)
    }
}

extension PartialRangeUpTo: RangeValue {
    var converted: ConvertedRange {
        ConvertedRange(lower: nil, upper: NSExpression(forConstantValue: upperBound), includesUpper: false)
    }
}
