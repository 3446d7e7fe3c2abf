import CoreDataStore

/// Visits the comparisons of a predicate that have a property of the model on a side, and replaces constants compared
/// with it.
///
/// Parts without a replacement remain the same objects, with what they have cached. Predicates of classes outside of
/// the library, and parts nested deeper than stores support, are not visited.
package struct ComparedConstants {
    package typealias Operator = NSComparisonPredicate.Operator

    /// The deepest nesting that stores support.
    private static let depth = 512

    /// Returns the replacement of a constant that is compared with a property; nil leaves the constant.
    private let replacement: (Any, ComparedProperty, Operator) throws -> Any?
    /// Called for each comparison of a property with another one.
    private let pair: (ComparedProperty, ComparedProperty, Operator) -> Void
    private let entity: NSEntityDescription
    private var variables: [String: ComparedProperty] = [:]

    package init(
        of entity: NSEntityDescription,
        pair: @escaping (ComparedProperty, ComparedProperty, Operator) -> Void = { _, _, _ in },
        replacement: @escaping (Any, ComparedProperty, Operator) throws -> Any?
    ) {
        self.entity = entity
        self.pair = pair
        self.replacement = replacement
    }

    /// The predicate with its constants replaced.
    ///
    /// - Throws: what `replacement` throws.
    package func applied(to predicate: NSPredicate) throws -> NSPredicate { try applied(to: predicate, 1) }

    private func applied(to predicate: NSPredicate, _ depth: Int) throws -> NSPredicate {
        guard depth < Self.depth else { return predicate }
        switch predicate {
        case let comparison as NSComparisonPredicate where type(of: comparison) == NSComparisonPredicate.self:
            return try applied(toComparison: comparison, depth)
        case let compound as Foundation.NSCompoundPredicate:
            let parts = try compound.subpredicates.map { try applied(to: $0, depth + 1) }
            guard zip(parts, compound.subpredicates).contains(where: { $0 !== $1 }) else { return compound }
            return NSCompoundPredicate(type: compound.compoundPredicateType, subpredicates: parts)
        default: return predicate
        }
    }

    private func applied(toComparison comparison: NSComparisonPredicate, _ depth: Int) throws -> NSPredicate {
        var left = try applied(to: comparison.leftExpression, depth + 1)
        var right = try applied(to: comparison.rightExpression, depth + 1)
        let operation = comparison.predicateOperatorType
        switch (property(of: left), property(of: right)) {
        case (let one?, let other?): pair(one, other, operation)
        case (let property?, nil): right = try replaced(right, beside: property, operation, isOnLeft: false)
        case (nil, let property?): left = try replaced(left, beside: property, operation, isOnLeft: true)
        case (nil, nil): break
        }
        guard left !== comparison.leftExpression || right !== comparison.rightExpression else { return comparison }
        return NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: comparison.comparisonPredicateModifier,
            type: operation, options: comparison.options)
    }

    // MARK: Constants

    private func replaced(
        _ expression: NSExpression, beside property: ComparedProperty, _ operation: Operator, isOnLeft: Bool
    ) throws -> NSExpression {
        switch operation {
        case .beginsWith, .endsWith, .like, .matches, .customSelector: return expression
        case .in where isOnLeft, .contains where !isOnLeft:
            // The constant is a part of a text, not a value of the property.
            return property.isCollection ? try replaced(expression, beside: property, operation) : expression
        case .in, .contains, .between: return try replaced(list: expression, beside: property, operation)
        default: return try replaced(expression, beside: property, operation)
        }
    }

    private func replaced(
        _ expression: NSExpression, beside property: ComparedProperty, _ operation: Operator
    ) throws -> NSExpression {
        guard case .constant(let value?) = expression.form, !(value is NSNull),
            let other = try replacement(value, property, operation)
        else { return expression }
        return NSExpression(.constant(other))
    }

    private func replaced(
        list expression: NSExpression, beside property: ComparedProperty, _ operation: Operator
    ) throws -> NSExpression {
        switch expression.form {
        case .aggregate(let elements):
            let others = try elements.map { try replaced($0, beside: property, operation) }
            return zip(elements, others).contains { $0 !== $1 } ? NSExpression(.aggregate(others)) : expression
        case .constant(let list?):
            guard property.kind?.isOnlyKind(in: list) != true, let values = elements(of: list) else {
                return expression
            }
            var hasChanged = false
            let others = try values.map { value -> Any in
                guard let value, !(value is NSNull), let other = try replacement(value, property, operation) else {
                    return value ?? NSNull()
                }
                hasChanged = true
                return other
            }
            return hasChanged ? NSExpression(.constant(others)) : expression
        default: return expression
        }
    }
}

extension ComparedConstants {
    /// The property that an expression reads; nil for any other expression.
    private func property(of expression: NSExpression) -> ComparedProperty? {
        switch expression.form {
        case .evaluatedObject: return ComparedProperty(record: entity)
        case .variable(let name): return variables[name]
        case .keyPath(nil, let path): return ComparedProperty(path, from: entity)
        case .keyPath(let start?, let path):
            guard case .record(let owner) = property(of: start)?.content else { return nil }
            return ComparedProperty(path, from: owner)
        default: return nil
        }
    }

    /// An expression with the predicates in it replaced.
    private func applied(to expression: NSExpression, _ depth: Int) throws -> NSExpression {
        guard depth < Self.depth else { return expression }
        switch expression.form {
        case .keyPath(let start?, let path):
            let other = try applied(to: start, depth + 1)
            return other === start ? expression : NSExpression(.keyPath(operand: other, path: path))
        case .function(let function, let arguments):
            let others = try arguments.map { try applied(to: $0, depth + 1) }
            guard zip(arguments, others).contains(where: { $0 !== $1 }) else { return expression }
            return NSExpression(.function(function, arguments: others))
        case .subquery(let collection, let name, let predicate):
            var inner = self
            if case .record(let element)? = property(of: collection)?.content {
                inner.variables[name] = ComparedProperty(record: element)
            } else {
                inner.variables[name] = nil
            }
            let other = try inner.applied(to: predicate, depth + 1)
            guard other !== predicate else { return expression }
            return NSExpression(.subquery(collection: collection, variable: name, predicate: other))
        case .conditional(let condition, let first, let second):
            let other = try applied(to: condition, depth + 1)
            return other === condition ? expression : NSExpression(.conditional(other, true: first, false: second))
        default: return expression
        }
    }
}
