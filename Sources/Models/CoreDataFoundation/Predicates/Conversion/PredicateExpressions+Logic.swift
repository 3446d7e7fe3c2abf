/// Comparisons and logic of typed Swift predicates.
extension PredicateExpressions.Conjunction: ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        PredicateConversion.all([try conversion.predicate(lhs), try conversion.predicate(rhs)])
    }
}

extension PredicateExpressions.Disjunction: ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        PredicateConversion.any([try conversion.predicate(lhs), try conversion.predicate(rhs)])
    }
}

extension PredicateExpressions.Negation: ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        PredicateConversion.not(try conversion.predicate(wrapped))
    }
}

extension PredicateExpressions.Equal: ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        if let choice = lhs as? any OptionalTruth, (rhs as? any ConstantTruth)?.truth == true {
            return try choice.holds(&conversion)
        }
        return PredicateConversion.comparison(
            try conversion.expression(lhs), type: .equalTo, right: try conversion.expression(rhs))
    }
}

extension PredicateExpressions.NotEqual: ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        PredicateConversion.comparison(
            try conversion.expression(lhs), type: .notEqualTo, right: try conversion.expression(rhs))
    }
}

extension PredicateExpressions.Comparison: ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        let type: NSComparisonPredicate.Operator =
            switch op {
            case .lessThan: .lessThan
            case .lessThanOrEqual: .lessThanOrEqualTo
            case .greaterThan: .greaterThan
            case .greaterThanOrEqual: .greaterThanOrEqualTo
            @unknown default:
                throw PredicateConversionError(part: "Comparison", reason: "its operator \(op) is not known")
            }
        return PredicateConversion.comparison(
            try conversion.expression(lhs), type: type, right: try conversion.expression(rhs))
    }
}

/// A conditional whose branches are conditions converts to AND, OR and NOT, and one with other values to an expression.
extension PredicateExpressions.Conditional: ConvertibleToExpression, ConvertibleToPredicate {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        NSExpression(
            forConditional: try conversion.predicate(test), trueExpression: try conversion.expression(trueBranch),
            falseExpression: try conversion.expression(falseBranch))
    }

    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        let condition = try conversion.predicate(test)
        return PredicateConversion.any([
            PredicateConversion.all([condition, try conversion.predicate(trueBranch)]),
            PredicateConversion.all([
                PredicateConversion.not(condition), try conversion.predicate(falseBranch),
            ]),
        ])
    }
}
