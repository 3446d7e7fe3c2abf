import CoreDataFoundation

/// Finds the keys of a predicate that the model does not have, the keys that it compares, and its unbound variables.
///
/// Keys after a collection operator, or after an expression that is not a key path, are not checked.
struct PredicateKeys {
    struct UnknownKey: Hashable {
        let key: String
        let entity: Int
    }

    private let scope: ModelScope
    private let entity: Int
    private var variables: [String: Int?]
    private(set) var unknownKeys: [UnknownKey] = []
    /// The keys of the entity itself that are compared with something.
    private(set) var comparedKeys: [String] = []
    private(set) var unboundVariables: Set<String> = []
    private var isInSubquery = false

    init(_ scope: ModelScope, entity: Int, variables: [String: Int] = [:]) {
        self.scope = scope
        self.entity = entity
        self.variables = variables
    }

    mutating func visit(_ predicate: NSPredicate) {
        switch predicate {
        case let comparison as NSComparisonPredicate:
            for side in [comparison.leftExpression, comparison.rightExpression] {
                visit(side)
                if case .keyPath(nil, let key) = side.form, !isInSubquery, !key.contains("."),
                    !comparedKeys.contains(key)
                {
                    comparedKeys.append(key)
                }
            }
        case let compound as Foundation.NSCompoundPredicate:
            for part in compound.subpredicates { visit(part) }
        default: break
        }
    }

    mutating func visit(_ expression: NSExpression) {
        switch expression.form {
        case .constant, .evaluatedObject, .anyKey, .block: break
        case .keyPath(let operand, _):
            if let operand { visit(operand) }
            _ = destination(of: expression)
        case .variable(let name): if variables[name] == nil { unboundVariables.insert(name) }
        case .function(_, let parts), .aggregate(let parts): for part in parts { visit(part) }
        case .call(let receiver, _, let parts): for part in [receiver] + parts { visit(part) }
        case .set(_, let left, let right):
            visit(left)
            visit(right)
        case .assignment(_, let value): visit(value)
        case .fetch(let request, let context, _):
            visit(request)
            visit(context)
        case .conditional(let condition, let whenTrue, let whenFalse):
            visit(condition)
            visit(whenTrue)
            visit(whenFalse)
        case .subquery(let collection, let name, let predicate):
            visit(collection)
            visitSubquery(predicate, variable: name, member: destination(of: collection))
        }
    }

    private mutating func visitSubquery(_ predicate: NSPredicate, variable: String, member: Int?) {
        let outer = (variables, isInSubquery)
        variables[variable] = .some(member)
        isInSubquery = true
        visit(predicate)
        (variables, isInSubquery) = outer
    }

    /// The entity to which an expression leads; nil if it leads to a value or that cannot be determined.
    private mutating func destination(of expression: NSExpression) -> Int? {
        switch expression.form {
        case .evaluatedObject: return entity
        case .variable(let name): return variables[name] ?? nil
        case .keyPath(nil, let path): return follow(path, from: entity)
        case .keyPath(let operand?, let path):
            guard let owner = destination(of: operand) else { return nil }
            return follow(path, from: owner)
        default: return nil
        }
    }

    private mutating func follow(_ path: String, from start: Int) -> Int? {
        var owner = start
        for key in path.split(separator: ".").map(String.init) {
            if key.hasPrefix("@") { return nil }
            if key.lowercased() == "self" { continue }
            guard let (_, property) = scope.property(key, of: owner) else {
                let unknown = UnknownKey(key: key, entity: owner)
                // A predicate may name keys that only some subentities have.
                if !Self.own.contains(key), !scope.isInDescendant(key, of: owner), !unknownKeys.contains(unknown) {
                    unknownKeys.append(unknown)
                }
                return nil
            }
            guard let next = scope.number(of: property.destination) else { return nil }
            owner = next
        }
        return owner
    }

    private static let own: Set<String> = ["objectID", "entity"]
}
