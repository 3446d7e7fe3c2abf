/// The conversion of one typed Swift predicate, with the expressions to which the predicate's variables are bound.
struct PredicateConversion {
    private var values: [PredicateExpressions.VariableID: NSExpression]
    private var variableCount = 0

    /// A conversion in which one variable is the evaluated object.
    init(input: PredicateExpressions.VariableID) {
        values = [input: .expressionForEvaluatedObject()]
    }

    // MARK: Parts

    /// Converts a Boolean part to a predicate: a constant becomes a constant predicate, another value `value == true`.
    mutating func predicate(_ part: Any) throws -> NSPredicate {
        if let part = part as? any ConvertibleToPredicate { return try part.predicate(&self) }
        let value = try expression(part)
        if case .constant(let truth as Bool) = value.form { return ConstantPredicate(value: truth) }
        return Self.comparison(value, type: .equalTo, right: NSExpression(forConstantValue: true))
    }

    /// Converts a part to an expression; a part that is a condition becomes a conditional with the values true and
    /// false.
    mutating func expression(_ part: Any) throws -> NSExpression {
        if let part = part as? any ConvertibleToExpression { return try part.expression(&self) }
        guard let part = part as? any ConvertibleToPredicate else {
            let kind = String(String(describing: type(of: part)).prefix { $0 != "<" })
            throw PredicateConversionError(part: kind, reason: "there is no such operation in NSPredicate")
        }
        return NSExpression(
            forConditional: try part.predicate(&self), trueExpression: NSExpression(forConstantValue: true),
            falseExpression: NSExpression(forConstantValue: false))
    }

    // MARK: Variables

    func value(of variable: PredicateExpressions.VariableID) throws -> NSExpression {
        guard let value = values[variable] else {
            throw PredicateConversionError(part: "a variable", reason: "it is not bound in the predicate")
        }
        return value
    }

    mutating func bind(_ variable: PredicateExpressions.VariableID, to value: NSExpression) {
        values[variable] = value
    }

    /// A subquery over a collection, with its own variable.
    mutating func subquery(
        _ collection: Any, _ variable: PredicateExpressions.VariableID,
        where test: (inout PredicateConversion) throws -> NSPredicate
    ) throws -> NSExpression {
        let list = try expression(collection)
        variableCount += 1
        let name = "x\(variableCount)"
        bind(variable, to: NSExpression(forVariable: name))
        return NSExpression(forSubquery: list, usingIteratorVariable: name, predicate: try test(&self))
    }

    // MARK: Building

    static func comparison(
        _ left: NSExpression, type: NSComparisonPredicate.Operator, right: NSExpression
    ) -> NSPredicate {
        NSComparisonPredicate(leftExpression: left, rightExpression: right, modifier: .direct, type: type)
    }

    static func all(_ parts: [NSPredicate]) -> NSPredicate { NSCompoundPredicate(type: .and, subpredicates: parts) }

    static func any(_ parts: [NSPredicate]) -> NSPredicate { NSCompoundPredicate(type: .or, subpredicates: parts) }

    static func not(_ part: NSPredicate) -> NSPredicate { NSCompoundPredicate(type: .not, subpredicates: [part]) }

    static func isNil(_ value: NSExpression) -> NSPredicate {
        comparison(value, type: .equalTo, right: NSExpression(forConstantValue: nil))
    }

    /// A key path from a value to one of its properties; extends the value if it is a key path itself.
    static func step(_ key: String, from value: NSExpression) -> NSExpression {
        switch value.form {
        case .evaluatedObject: NSExpression(.keyPath(operand: nil, path: key))
        case .keyPath(let operand, let path): NSExpression(.keyPath(operand: operand, path: "\(path).\(key)"))
        default: NSExpression(.keyPath(operand: value, path: key))
        }
    }

    static func count(_ collection: NSExpression) -> NSExpression { step("@count", from: collection) }
}

/// A part of a typed Swift predicate that converts to a predicate.
protocol ConvertibleToPredicate {
    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate
}

/// A part of a typed Swift predicate that converts to an expression.
protocol ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression
}
