/// Operations on texts of typed Swift predicates.
extension PredicateExpressions.CollectionContainsCollection: ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        guard Base.Output.self is any StringProtocol.Type else {
            throw PredicateConversionError(
                part: "contains with a list", reason: "NSPredicate looks for a run of elements only in texts")
        }
        return PredicateConversion.comparison(
            try conversion.expression(base), type: .contains, right: try conversion.expression(other))
    }
}

extension PredicateExpressions.SequenceStartsWith: ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        guard Base.Output.self is any StringProtocol.Type else {
            throw PredicateConversionError(
                part: "starts(with:) of a list", reason: "NSPredicate looks for a beginning only in texts")
        }
        return PredicateConversion.comparison(
            try conversion.expression(base), type: .beginsWith, right: try conversion.expression(prefix))
    }
}

/// In Swift a regular expression may match any part of a text, that of `MATCHES` must match the complete text.
extension PredicateExpressions.StringContainsRegex: ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        guard let pattern = (regex as? any CapturedPattern)?.pattern else {
            throw PredicateConversionError(part: "a regular expression", reason: "it is not the same for every object")
        }
        let whole = NSExpression(forConstantValue: "(?s:.*)(?:\(pattern))(?s:.*)")
        return PredicateConversion.comparison(try conversion.expression(subject), type: .matches, right: whole)
    }
}

private protocol CapturedPattern {
    var pattern: String? { get }
}

extension PredicateExpressions.Value: CapturedPattern {
    fileprivate var pattern: String? { (value as? PredicateExpressions.PredicateRegex)?.stringRepresentation }
}
