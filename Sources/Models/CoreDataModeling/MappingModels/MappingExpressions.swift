import CoreDataFoundation

/// The expressions that Apple's mapping editor writes, and the functions of `$manager`.
package enum MappingExpressions {
    /// The variables that the expressions of a mapping model may use.
    package static let variables: Set<String> = [
        "source", "destination", "manager", "entityMapping", "entityPolicy", "propertyMapping",
    ]

    /// The functions that `FUNCTION($manager, …)` can call.
    package enum ManagerFunction: String, CaseIterable, Sendable {
        case fetchRequest = "fetchRequestForSourceEntityNamed:predicateString:"
        case destinationInstances = "destinationInstancesForEntityMappingNamed:sourceInstances:"
        case destinationInstancesOfRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
        case sourceInstances = "sourceInstancesForEntityMappingNamed:destinationInstances:"

        package var arity: Int { 2 }
    }

    private static var manager: NSExpression { NSExpression(forVariable: "manager") }

    /// `$source.key`.
    package static func source(_ keyPath: String) -> NSExpression {
        NSExpression(.keyPath(operand: NSExpression(forVariable: "source"), path: keyPath))
    }

    /// The key of `$source.key`; nil for any other expression.
    package static func plainKey(of expression: NSExpression?) -> String? {
        guard case .keyPath(let operand?, let path)? = expression?.form, case .variable("source") = operand.form,
            !path.contains(".")
        else { return nil }
        return path
    }

    /// The key that an inferred expression copies: of `$source.key`, or of a conditional that replaces nil by a
    /// constant; nil for any other expression.
    package static func takenKey(of expression: NSExpression?) -> String? {
        guard case .conditional(_, true: let filling, false: let value)? = expression?.form else {
            return plainKey(of: expression)
        }
        guard case .constant = filling.form else { return nil }
        return plainKey(of: value)
    }

    /// An expression for the objects that a named mapping made from those of another expression.
    package static func destinations(ofMapping name: String, of objects: NSExpression) -> NSExpression {
        call(.destinationInstances, [NSExpression(forConstantValue: name), objects])
    }

    /// An expression for the objects that all mappings made from the objects of a relationship of the source.
    package static func destinations(ofRelationship name: String) -> NSExpression {
        call(.destinationInstancesOfRelationship, [NSExpression(forConstantValue: name), source(name)])
    }

    /// An expression for all source objects of an entity for which a predicate is true.
    package static func objects(ofEntity name: String, where predicate: String?) -> NSExpression {
        let condition = predicate.flatMap { $0.isEmpty ? nil : $0 } ?? "TRUEPREDICATE"
        let request = call(
            .fetchRequest, [NSExpression(forConstantValue: name), NSExpression(forConstantValue: condition)])
        return NSFetchRequestExpression.expression(
            forFetch: request, context: NSExpression(.keyPath(operand: manager, path: "sourceContext")),
            countOnly: false)
    }

    /// The relationship of the source of which an expression maps all objects; nil for any other expression.
    package static func plainRelationship(of expression: NSExpression?) -> String? {
        guard case .call(let receiver, let name, let arguments)? = expression?.form, arguments.count == 2,
            case .variable("manager") = receiver.form, let function = ManagerFunction(rawValue: name),
            function == .destinationInstances || function == .destinationInstancesOfRelationship
        else { return nil }
        return plainKey(of: arguments[1])
    }

    /// The mapping that an expression names for its objects; nil for any other expression.
    package static func mappingName(of expression: NSExpression?) -> String? {
        guard case .call(_, ManagerFunction.destinationInstances.rawValue, let arguments)? = expression?.form,
            case .constant(let name as String)? = arguments.first?.form
        else { return nil }
        return name
    }

    private static func call(_ function: ManagerFunction, _ arguments: [NSExpression]) -> NSExpression {
        NSExpression(.call(receiver: manager, name: function.rawValue, arguments: arguments))
    }
}
