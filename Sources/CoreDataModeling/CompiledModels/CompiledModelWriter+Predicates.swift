import CoreDataFoundation

/// Predicates and expressions with Apple's class names, in the form that `ArchivedPredicate` reads.
///
/// The keys of substrings, aggregates, subqueries, sets and conditionals follow the pattern of the others: no compiled model
/// of the fixtures holds one.
extension CompiledModelWriter {
    /// As deep as predicates are read back.
    private static let greatestDepth = 60

    mutating func predicate(parsing format: String, of owner: String) throws -> PropertyList {
        do {
            return try predicate(NSPredicate(parsing: format))
        } catch {
            throw ModelingError(.invalidModel, "the predicate of \(owner) cannot be written: \(error)")
        }
    }

    mutating func predicate(_ predicate: NSPredicate, depth: Int = 0) throws -> PropertyList {
        guard depth < Self.greatestDepth else {
            throw ModelingError(.limitExceeded, "a predicate nests deeper than \(Self.greatestDepth)")
        }
        switch PredicateNode(predicate) {
        case .constant(let value): return archive.add(value ? "NSTruePredicate" : "NSFalsePredicate", [:])
        case .not(let part): return try compound(0, [part], depth)
        case .and(let parts): return try compound(1, parts, depth)
        case .or(let parts): return try compound(2, parts, depth)
        case .comparison(let comparison): return try self.comparison(comparison, depth)
        case .opaque:
            throw ModelingError(.unsupportedForm, "a predicate in Swift code cannot be written into a model")
        }
    }

    private mutating func compound(_ type: Int64, _ parts: [PredicateNode], _ depth: Int) throws -> PropertyList {
        let predicates = try parts.map { try predicate($0.predicate, depth: depth + 1) }
        return archive.add(
            "NSCompoundPredicate",
            ["NSCompoundPredicateType": .integer(type), "NSSubpredicates": archive.collection("NSArray", predicates)])
    }

    private mutating func comparison(_ comparison: NSComparisonPredicate, _ depth: Int) throws -> PropertyList {
        let left = try expression(comparison.leftExpression, depth: depth + 1)
        let right = try expression(comparison.rightExpression, depth: depth + 1)
        return archive.add(
            "NSComparisonPredicate",
            [
                "NSLeftExpression": left, "NSRightExpression": right,
                "NSPredicateOperator": comparisonOperator(comparison),
            ])
    }

    private mutating func comparisonOperator(_ comparison: NSComparisonPredicate) -> PropertyList {
        let type = Int64(comparison.predicateOperatorType.rawValue)
        let options = Int64(comparison.options.rawValue)
        var fields: [String: PropertyList] = [
            "NSOperatorType": .integer(type),
            "NSModifier": .integer(Int64(comparison.comparisonPredicateModifier.rawValue)),
        ]
        switch comparison.predicateOperatorType {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            fields["NSVariant"] = .integer(type)
            fields["NSOptions"] = .integer(options)
            return archive.add("NSComparisonPredicateOperator", fields)
        case .equalTo, .notEqualTo:
            fields["NSNegate"] = .boolean(comparison.predicateOperatorType == .notEqualTo)
            fields["NSOptions"] = .integer(options)
            return archive.add("NSEqualityPredicateOperator", fields)
        case .between: return archive.add("NSBetweenPredicateOperator", fields)
        case .beginsWith, .endsWith:
            fields["NSSubstringPosition"] = .integer(comparison.predicateOperatorType == .endsWith ? 1 : 0)
            fields["NSFlags"] = .integer(options)
            return archive.add("NSSubstringPredicateOperator", fields)
        case .matches, .like, .in, .contains, .customSelector:
            fields["NSFlags"] = .integer(options)
            return archive.add(Self.className(of: comparison.predicateOperatorType), fields)
        }
    }

    private static func className(of type: NSComparisonPredicate.Operator) -> String {
        switch type {
        case .matches: "NSMatchingPredicateOperator"
        case .like: "NSLikePredicateOperator"
        default: "NSInPredicateOperator"
        }
    }

    // MARK: Expressions

    mutating func expression(_ expression: NSExpression, depth: Int = 0) throws -> PropertyList {
        guard depth < Self.greatestDepth else {
            throw ModelingError(.limitExceeded, "an expression nests deeper than \(Self.greatestDepth)")
        }
        var fields: [String: PropertyList] = ["NSExpressionType": .integer(Int64(expression.expressionType.rawValue))]
        switch expression.form {
        case .evaluatedObject: return evaluatedObject()
        case .constant(let value):
            fields["NSConstantValue"] = try archive.value(value)
            return archive.add("NSConstantValueExpression", fields)
        case .variable(let name):
            fields["NSVariable"] = archive.text(name)
            return archive.add("NSVariableExpression", fields)
        case .keyPath(let operand, let path): return try keyPath(operand, path, depth)
        case .function(let function, let arguments):
            return try self.function(function, arguments, depth)
        case .aggregate(let elements):
            let parts = try elements.map { try self.expression($0, depth: depth + 1) }
            fields["NSCollection"] = archive.collection("NSArray", parts)
            return archive.add("NSAggregateExpression", fields)
        case .subquery(let collection, let variable, let condition):
            fields["NSExpression"] = try self.expression(collection, depth: depth + 1)
            fields["NSVariable"] = archive.text(variable)
            fields["NSPredicate"] = try predicate(condition, depth: depth + 1)
            return archive.add("NSSubqueryExpression", fields)
        case .set, .conditional, .anyKey, .block, .assignment, .fetch:
            throw ModelingError(
                .unsupportedForm, "an expression of type \(expression.expressionType) cannot be written into a model")
        }
    }

    private mutating func evaluatedObject() -> PropertyList {
        if let known = shared[.evaluatedObject] { return known }
        let place = archive.add("NSSelfExpression", ["NSExpressionType": .integer(1)])
        shared[.evaluatedObject] = place
        return place
    }

    /// A path from something else than the evaluated object is archived as a call of a function.
    private mutating func keyPath(_ operand: NSExpression?, _ path: String, _ depth: Int) throws -> PropertyList {
        let start = try operand.map { try expression($0, depth: depth + 1) }
        let specifier = archive.add(
            "NSKeyPathSpecifierExpression", ["NSExpressionType": .integer(10), "NSKeyPath": archive.text(path)])
        let isPlain = start == nil && !path.contains(".")
        return archive.add(
            "NSKeyPathExpression",
            [
                "NSOperand": start ?? evaluatedObject(), "NSExpressionType": .integer(start == nil ? 3 : 4),
                "NSSelectorName": archive.text(isPlain ? "valueForKey:" : "valueForKeyPath:"),
                "NSArguments": archive.collection("NSMutableArray", [specifier]),
            ])
    }

    private mutating func function(
        _ function: ExpressionFunction, _ arguments: [NSExpression], _ depth: Int
    ) throws -> PropertyList {
        let parts = try arguments.map { try expression($0, depth: depth + 1) }
        let receiver = archive.add(
            "NSConstantValueExpression",
            ["NSExpressionType": .integer(0), "NSConstantValueClassName": archive.text("_NSPredicateUtilities")])
        return archive.add(
            "NSFunctionExpression",
            [
                "NSExpressionType": .integer(4), "NSOperand": receiver,
                "NSSelectorName": archive.text(function.rawValue),
                "NSArguments": archive.collection(function == .count ? "NSArray" : "NSMutableArray", parts),
            ])
    }
}
