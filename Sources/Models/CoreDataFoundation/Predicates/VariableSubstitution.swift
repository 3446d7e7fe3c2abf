/// Replaces variables by values, or the placeholders of a template by arguments, in a copy of a predicate or
/// expression.
///
/// A variable that a subquery binds is not replaced inside the subquery. If a value that is inserted there has a
/// variable of the same name, the subquery's own variable is renamed.
struct VariableSubstitution {
    var values: [String: Any] = [:]
    var arguments: [Any?] = []

    func applied(to predicate: NSPredicate) -> NSPredicate {
        switch predicate {
        case let comparison as NSComparisonPredicate: return applied(toComparison: comparison)
        case let compound as Foundation.NSCompoundPredicate:
            let parts = compound.subpredicates.map { applied(to: $0) }
            return NSCompoundPredicate(type: compound.compoundPredicateType, subpredicates: parts)
        default: return predicate
        }
    }

    private func applied(toComparison predicate: NSComparisonPredicate) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: applied(to: predicate.leftExpression),
            rightExpression: applied(to: predicate.rightExpression),
            modifier: predicate.comparisonPredicateModifier, type: predicate.predicateOperatorType,
            options: predicate.options)
    }

    func applied(to expression: NSExpression) -> NSExpression {
        switch expression.form {
        case .variable(let name): return value(of: name) ?? expression
        case .constant(let placeholder as FormatPlaceholder):
            return value(FormatValue.constant(of: flattened(arguments[placeholder.place])))
        case .constant, .evaluatedObject, .keyPath(nil, _), .anyKey: return expression
        case .keyPath(let operand?, let keys): return path(keys, from: applied(to: operand))
        case .function(let function, let arguments):
            return NSExpression(.function(function, arguments: arguments.map { applied(to: $0) }))
        case .call(let receiver, let name, let arguments):
            let parts = arguments.map { applied(to: $0) }
            return NSExpression(.call(receiver: applied(to: receiver), name: name, arguments: parts))
        case .aggregate(let elements): return NSExpression(.aggregate(elements.map { applied(to: $0) }))
        case .set(let operation, let left, let right):
            return NSExpression(.set(operation, applied(to: left), applied(to: right)))
        case .assignment(let name, let value): return NSExpression(.assignment(variable: name, applied(to: value)))
        case .fetch(let request, let context, let isCountOnly):
            return NSFetchRequestExpression(
                .fetch(request: applied(to: request), context: applied(to: context), isCountOnly: isCountOnly))
        case .subquery(let collection, let name, let predicate):
            return subquery(over: applied(to: collection), name, predicate)
        case .conditional(let condition, let whenTrue, let whenFalse):
            let condition = applied(to: condition)
            return NSExpression(.conditional(condition, true: applied(to: whenTrue), false: applied(to: whenFalse)))
        case .block(let block, let arguments):
            return NSExpression(.block(block, arguments: arguments.map { applied(to: $0) }))
        }
    }

    private func subquery(over collection: NSExpression, _ name: String, _ predicate: NSPredicate) -> NSExpression {
        let needed = predicate.variableNames
        let inner = values.filter { $0.key != name && needed.contains($0.key) }
        let brought = inner.values.reduce(into: Set<String>()) { names, value in
            var collector = VariableCollector()
            if let expression = flattened(value) as? NSExpression { collector.visit(expression) }
            names.formUnion(collector.names)
        }
        guard brought.contains(name) else {
            let condition = VariableSubstitution(values: inner, arguments: arguments).applied(to: predicate)
            return NSExpression(.subquery(collection: collection, variable: name, predicate: condition))
        }
        let fresh = Self.name(like: name, outside: needed.union(brought))
        let renaming = inner.merging([name: NSExpression(.variable(fresh))]) { first, _ in first }
        let condition = VariableSubstitution(values: renaming, arguments: arguments).applied(to: predicate)
        return NSExpression(.subquery(collection: collection, variable: fresh, predicate: condition))
    }

    private static func name(like name: String, outside known: Set<String>) -> String {
        var number = 1
        while known.contains("\(name)_\(number)") { number += 1 }
        return "\(name)_\(number)"
    }

    private func value(of name: String) -> NSExpression? {
        values[name].map { value(flattened($0)) }
    }

    private func value(_ content: Any?) -> NSExpression {
        content as? NSExpression ?? NSExpression(.constant(content))
    }

    /// A key path from the evaluated object has no operand, like any other key path.
    private func path(_ path: String, from operand: NSExpression) -> NSExpression {
        if case .evaluatedObject = operand.form { return NSExpression(.keyPath(operand: nil, path: path)) }
        return NSExpression(.keyPath(operand: operand, path: path))
    }
}
