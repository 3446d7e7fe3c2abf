/// Optionals of typed Swift predicates. Unwrapping is left out, since a key path through nil is nil in an
/// `NSPredicate`.
extension PredicateExpressions.NilLiteral: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        NSExpression(forConstantValue: nil)
    }
}

extension PredicateExpressions.ForcedUnwrap: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        try conversion.expression(inner)
    }
}

extension PredicateExpressions.ForceCast: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        try conversion.expression(input)
    }
}

/// An optional Boolean, which comparison with true or `?? false` converts to a predicate that is false for nil.
protocol OptionalTruth {
    func holds(_ conversion: inout PredicateConversion) throws -> NSPredicate
}

/// A Boolean value that is the same for every object.
protocol ConstantTruth {
    var truth: Bool? { get }
}

extension PredicateExpressions.Value: ConstantTruth {
    var truth: Bool? { flattened(value) as? Bool }
}

extension PredicateExpressions.NilCoalesce: ConvertibleToExpression, ConvertibleToPredicate {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        let value = try conversion.expression(lhs)
        return NSExpression(
            forConditional: PredicateConversion.isNil(value), trueExpression: try conversion.expression(rhs),
            falseExpression: value)
    }

    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        if let choice = lhs as? any OptionalTruth, (rhs as? any ConstantTruth)?.truth == false {
            return try choice.holds(&conversion)
        }
        let value = try conversion.expression(lhs)
        let truth = NSExpression(forConstantValue: true)
        return PredicateConversion.any([
            PredicateConversion.comparison(value, type: .equalTo, right: truth),
            PredicateConversion.all([PredicateConversion.isNil(value), try conversion.predicate(rhs)]),
        ])
    }
}

extension PredicateExpressions.OptionalFlatMap: ConvertibleToExpression, OptionalTruth {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        let value = try conversion.expression(wrapped)
        conversion.bind(variable.key, to: value)
        let result = try conversion.expression(transform)
        if case .keyPath = result.form { return result }
        return NSExpression(
            forConditional: PredicateConversion.isNil(value), trueExpression: NSExpression(forConstantValue: nil),
            falseExpression: result)
    }

    func holds(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        let value = try conversion.expression(wrapped)
        conversion.bind(variable.key, to: value)
        let isThere = PredicateConversion.not(PredicateConversion.isNil(value))
        return PredicateConversion.all([isThere, try conversion.predicate(transform)])
    }
}
