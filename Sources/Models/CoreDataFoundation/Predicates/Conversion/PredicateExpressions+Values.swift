/// Values, properties and arithmetic of typed Swift predicates.
extension PredicateExpressions.Variable: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        try conversion.value(of: key)
    }
}

extension PredicateExpressions.Value: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        let constant = flattened(value)
        guard !(constant is any RangeValue) else {
            throw PredicateConversionError(part: "a range", reason: "a range is only used with contains")
        }
        if let character = constant as? Character { return NSExpression(forConstantValue: String(character)) }
        guard let raw = constant as? any RawRepresentable else { return NSExpression(forConstantValue: constant) }
        return NSExpression(forConstantValue: raw.rawValue)
    }
}

extension PredicateExpressions.KeyPath: ConvertibleToExpression, ConvertibleToPredicate {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        let start = try conversion.expression(root)
        switch kind {
        case .collectionCount: return Self.count(start)
        case .collectionFirst: return Self.element(.first, of: start)
        case .bidirectionalCollectionLast: return Self.element(.last, of: start)
        case .collectionIsEmpty:
            return NSExpression(
                forConditional: try predicate(&conversion), trueExpression: NSExpression(forConstantValue: true),
                falseExpression: NSExpression(forConstantValue: false))
        default: return PredicateConversion.step(try name(), from: start)
        }
    }

    func predicate(_ conversion: inout PredicateConversion) throws -> NSPredicate {
        guard case .collectionIsEmpty = kind else {
            return PredicateConversion.comparison(
                try expression(&conversion), type: .equalTo, right: NSExpression(forConstantValue: true))
        }
        let count = Self.count(try conversion.expression(root))
        return PredicateConversion.comparison(count, type: .equalTo, right: NSExpression(forConstantValue: 0))
    }

    private func name() throws -> String {
        guard let name = namedKey(of: keyPath) else {
            throw PredicateConversionError(
                part: "\(keyPath)", reason: "no property table names this key path of \(Root.Output.self)")
        }
        return name
    }

    private static func count(_ value: NSExpression) -> NSExpression {
        guard Root.Output.self is any StringProtocol.Type else { return PredicateConversion.count(value) }
        return NSExpression(.function(.length, arguments: [value]))
    }

    private static func element(_ place: CollectionIndex, of value: NSExpression) -> NSExpression {
        NSExpression(.function(.element, arguments: [value, NSExpression(forConstantValue: place)]))
    }
}

extension PredicateExpressions.Arithmetic: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        let function: ExpressionFunction =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            @unknown default:
                throw PredicateConversionError(part: "Arithmetic", reason: "its operator \(op) is not known")
            }
        let sides = [try conversion.expression(lhs), try conversion.expression(rhs)]
        return NSExpression(.function(function, arguments: sides))
    }
}

extension PredicateExpressions.FloatDivision: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        let sides = [try conversion.expression(lhs), try conversion.expression(rhs)]
        return NSExpression(.function(.divide, arguments: sides))
    }
}

/// `NSPredicate` divides integers as integers too, so the function is the same.
extension PredicateExpressions.IntDivision: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        let sides = [try conversion.expression(lhs), try conversion.expression(rhs)]
        return NSExpression(.function(.divide, arguments: sides))
    }
}

extension PredicateExpressions.IntRemainder: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        let sides = [try conversion.expression(lhs), try conversion.expression(rhs)]
        return NSExpression(.function(.modulus, arguments: sides))
    }
}

extension PredicateExpressions.UnaryMinus: ConvertibleToExpression {
    func expression(_ conversion: inout PredicateConversion) throws -> NSExpression {
        let sides = [NSExpression(forConstantValue: 0), try conversion.expression(wrapped)]
        return NSExpression(.function(.subtract, arguments: sides))
    }
}
