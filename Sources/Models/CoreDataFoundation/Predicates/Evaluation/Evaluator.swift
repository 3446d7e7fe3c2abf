/// Evaluates predicates and expressions on one object.
struct Evaluator {
    let object: Any?
    let variables: [String: Any]
    /// What evaluation does with a pattern of `MATCHES` that cannot be used.
    var badPatterns: BadPatterns = .thrown

    /// Whether a predicate holds; AND and OR stop at the first condition that decides.
    func holds(_ predicate: NSPredicate) throws -> Bool {
        switch predicate {
        case let comparison as NSComparisonPredicate: try holds(comparison)
        case let compound as Foundation.NSCompoundPredicate: try holds(compound)
        default: predicate.evaluate(with: object, substitutionVariables: variables)
        }
    }

    private func holds(_ compound: Foundation.NSCompoundPredicate) throws -> Bool {
        let parts = compound.subpredicates
        switch compound.compoundPredicateType {
        case .and: return try parts.allSatisfy { try holds($0) }
        case .or: return try parts.contains { try holds($0) }
        case .not: return try parts.first.map { try !holds($0) } ?? true
        }
    }

    private func holds(_ predicate: NSComparisonPredicate) throws -> Bool {
        let left = try value(of: predicate.leftExpression)
        if let list = predicate.constantList {
            return ValueList.contains(left, in: list, options: predicate.options)
        }
        let right = try value(of: predicate.rightExpression)
        let comparison = Comparison(operation: predicate.predicateOperatorType, options: predicate.options)
        switch predicate.comparisonPredicateModifier {
        case .direct: return try holds(comparison, left: left, right: right)
        case .any: return try quantified(left, predicate).contains { try holds(comparison, left: $0, right: right) }
        case .all: return try quantified(left, predicate).allSatisfy { try holds(comparison, left: $0, right: right) }
        }
    }

    private func holds(_ comparison: Comparison, left: Any?, right: Any?) throws -> Bool {
        guard comparison.operation == .matches else { return try comparison.holds(left, right) }
        return try badPatterns.answer { try comparison.holds(left, right) }
    }

    /// The values that a quantifier tests: the elements of a collection, or none for nil. A key path from the variable
    /// of a SUBQUERY may also lead to a single value, which is tested alone, as a store does.
    private func quantified(_ value: Any?, _ predicate: NSComparisonPredicate) throws -> [Any?] {
        if predicate.leftExpression.isPathOfVariable, value.flatMap(elements(of:)) == nil {
            return [ValueOrder.present(value)]
        }
        guard let value = ValueOrder.present(value) else { return [] }
        guard let list = elements(of: value) else {
            throw ExpressionError.quantifierNeedsCollection(type: String(describing: type(of: value)))
        }
        return list
    }
}

extension NSExpression {
    /// Whether the expression is a key path from a variable, such as `$v.name`.
    package var isPathOfVariable: Bool {
        guard case .keyPath(let operand?, _) = form, case .variable = operand.form else { return false }
        return true
    }
}

extension NSComparisonPredicate {
    /// The list on the right side of an `IN` without quantifier, if it is the same for every object.
    fileprivate var constantList: [Any?]? {
        guard predicateOperatorType == .in, comparisonPredicateModifier == .direct else { return nil }
        return rightExpression.constantElements
    }
}

extension Evaluator {
    /// The value of an expression.
    func value(of expression: NSExpression) throws -> Any? {
        switch expression.form {
        case .constant(let value): return value
        case .evaluatedObject: return object
        case .variable(let name): return try variable(name)
        case .keyPath(nil, let path): return try KeyPathReader.value(at: path, of: object)
        case .keyPath(let operand?, let path): return try KeyPathReader.value(at: path, of: value(of: operand))
        case .function(let function, let arguments): return try function.value(arguments.map { try value(of: $0) })
        case .call(let receiver, let name, let arguments):
            guard let answering = try value(of: receiver) as? any CallAnswering else {
                throw ExpressionError.unsupported("FUNCTION \"\(name)\" outside a migration")
            }
            return flattened(try answering.answer(toCall: name, arguments: arguments.map { try value(of: $0) }))
        case .aggregate(let elements): return try elements.map { try value(of: $0) }
        case .set(let operation, let left, let right):
            return try combined(operation, left: value(of: left), right: value(of: right))
        case .subquery(let collection, let name, let predicate):
            return try filtered(collection, name: name, predicate: predicate)
        case .conditional(let condition, let whenTrue, let whenFalse):
            return try value(of: holds(condition) ? whenTrue : whenFalse)
        case .block(let block, let arguments):
            let context = NSMutableDictionary(dictionary: variables)
            return flattened(block(object, try arguments.map { try value(of: $0) }, context))
        case .assignment(_, let expression): return try value(of: expression)
        case .fetch(let request, let context, let isCountOnly):
            guard let context = try value(of: context) as? any FetchRequestExecution else {
                throw ExpressionError.unsupported("FETCH without a managed object context")
            }
            return try context.result(ofRequest: value(of: request), isCountOnly: isCountOnly)
        case .anyKey: throw ExpressionError.unsupported("ANYKEY")
        }
    }

    private func variable(_ name: String) throws -> Any? {
        guard let value = variables[name] else { throw ExpressionError.unboundVariable(name) }
        let content = flattened(value)
        guard let expression = content as? NSExpression else { return content }
        return try self.value(of: expression)
    }

    private func filtered(_ collection: NSExpression, name: String, predicate: NSPredicate) throws -> Any? {
        guard let value = try ValueOrder.present(value(of: collection)) else { return nil }
        guard let list = elements(of: value) else {
            throw ExpressionError.wrongType(operation: "SUBQUERY", type: String(describing: type(of: value)))
        }
        return try list.filter { element in
            var inner = variables
            inner[name] = element ?? NSNull()
            return try Evaluator(object: object, variables: inner, badPatterns: badPatterns).holds(predicate)
        }
    }

    private func combined(_ operation: SetOperation, left: Any?, right: Any?) throws -> [Any] {
        let (left, right) = (try members(of: left, operation), try members(of: right, operation))
        switch operation {
        case .union: return ValueList.distinct((left + right).map { $0 ?? NSNull() })
        case .intersect: return kept(left) { ValueList.contains($0, in: right, options: []) }
        case .minus: return kept(left) { !ValueList.contains($0, in: right, options: []) }
        }
    }

    /// The elements of a side; none for nil, as for a quantifier.
    private func members(of side: Any?, _ operation: SetOperation) throws -> [Any?] {
        guard let side = ValueOrder.present(side) else { return [] }
        guard let list = elements(of: side) else {
            throw ExpressionError.wrongType(operation: operation.rawValue, type: String(describing: type(of: side)))
        }
        return list
    }

    private func kept(_ values: [Any?], _ isKept: (Any?) -> Bool) -> [Any] {
        ValueList.distinct(values.filter(isKept).map { $0 ?? NSNull() })
    }
}
