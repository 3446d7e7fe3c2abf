import CoreData

/// Checks the key paths of a predicate against the model, to suggest the nearest key for an unknown one.
///
/// The rest of a path after a collection operator, and paths that begin at another expression than an object, are left
/// to the store.
package struct PredicateCheck {
    private let entity: NSEntityDescription
    /// The entities of the objects that variables stand for; nil for variables that stand for values.
    private var variables: [String: NSEntityDescription?]

    /// - Parameter variables: The variables that are given values from outside the predicate.
    package init(_ entity: NSEntityDescription, variables: [String: NSEntityDescription?] = [:]) {
        self.entity = entity
        self.variables = variables
    }

    /// - Throws: `InspectionError` of code `unknownKey`, or `badPredicate` for a variable without a value.
    package func check(_ predicate: NSPredicate) throws {
        switch predicate {
        case let comparison as NSComparisonPredicate:
            try check(comparison.leftExpression)
            try check(comparison.rightExpression)
        case let compound as Foundation.NSCompoundPredicate:
            for part in compound.subpredicates { try check(part) }
        default: break
        }
    }

    private func check(_ expression: NSExpression) throws {
        switch expression.form {
        case .constant, .evaluatedObject, .anyKey, .block: break
        case .keyPath(let operand, _):
            if let operand { try check(operand) }
            _ = try destination(of: expression)
        case .variable(let name):
            guard variables[name] == nil else { return }
            throw InspectionError(.badPredicate, subject: "predicate", cause: "the variable '$\(name)' has no value")
        case .function(_, let parts), .aggregate(let parts):
            for part in parts { try check(part) }
        case .call(let receiver, _, let parts): for part in [receiver] + parts { try check(part) }
        case .set(_, let left, let right):
            try check(left)
            try check(right)
        case .assignment(_, let value): try check(value)
        case .fetch(let request, let context, _):
            try check(request)
            try check(context)
        case .conditional(let condition, let whenTrue, let whenFalse):
            try check(condition)
            try check(whenTrue)
            try check(whenFalse)
        case .subquery(let collection, let name, let predicate):
            try check(collection)
            guard let member = try destination(of: collection) else { return }
            var inner = self
            inner.variables[name] = member
            try inner.check(predicate)
        }
    }

    /// The entity of the objects that an expression gives; nil if it gives a value, or if that cannot be determined.
    private func destination(of expression: NSExpression) throws -> NSEntityDescription? {
        switch expression.form {
        case .evaluatedObject: return entity
        case .variable(let name): return variables[name] ?? nil
        case .keyPath(let operand, let path):
            guard let owner = try operand.map({ try destination(of: $0) }) ?? entity else { return nil }
            return try follow(path, from: owner)
        default: return nil
        }
    }

    private func follow(_ path: String, from start: NSEntityDescription) throws -> NSEntityDescription? {
        var owner: NSEntityDescription? = start
        for key in path.split(separator: ".").map(String.init) {
            guard let entity = owner else { return nil }
            if key.hasPrefix("@") || key.lowercased() == "self" { return key.hasPrefix("@") ? nil : entity }
            guard let property = entity.propertiesByName[key] else {
                if Self.own.contains(key) { return nil }
                throw KeyRoute.unknown(key, of: entity, path: path)
            }
            owner = (property as? NSRelationshipDescription)?.destinationEntity
        }
        return owner
    }

    private static let own: Set<String> = ["objectID", "entity"]
}
