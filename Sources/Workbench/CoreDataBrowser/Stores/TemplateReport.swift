import CoreData

extension NSManagedObjectModel {
    /// The fetch request templates of the model, each with the variables in its predicate.
    package var templateReports: [JSONValue] {
        templatesByName.sorted { $0.key < $1.key }.map { name, template in
            let entity = template.entityName.flatMap { entitiesByName[$0] }
            let predicate = template.predicateFormat.flatMap { try? NSPredicate(parsing: $0) }
            let variables = predicate.map { PredicateVariables(of: $0, entity).kinds } ?? [:]
            return .object([
                ("name", .string(name)), ("entity", .text(template.entityName)),
                ("predicate", .text(template.predicateFormat)),
                (
                    "variables",
                    .array(
                        variables.sorted { $0.key < $1.key }.map { name, kind in
                            .object([("name", .string(name)), ("type", .text(kind.map { "\($0)" }))])
                        })
                ),
            ])
        }
    }
}

/// The variables of a predicate, each with the type of the key path that it is compared with; nil if there is none.
struct PredicateVariables {
    private static let greatestDepth = 200

    private(set) var kinds: [String: AttributeKind?] = [:]
    private let entity: NSEntityDescription?

    init(of predicate: NSPredicate, _ entity: NSEntityDescription?) {
        self.entity = entity
        visit(predicate, Self.greatestDepth)
    }

    private mutating func visit(_ predicate: NSPredicate, _ depth: Int) {
        guard depth > 0 else { return }
        switch predicate {
        case let comparison as NSComparisonPredicate:
            let (left, right) = (comparison.leftExpression, comparison.rightExpression)
            visit(left, beside: right, depth - 1)
            visit(right, beside: left, depth - 1)
        case let compound as Foundation.NSCompoundPredicate:
            for part in compound.subpredicates { visit(part, depth - 1) }
        default: break
        }
    }

    private mutating func visit(_ expression: NSExpression, beside other: NSExpression?, _ depth: Int) {
        guard depth > 0 else { return }
        switch expression.form {
        case .variable(let name): kinds[name] = (kinds[name] ?? nil) ?? other.flatMap(kind)
        case .aggregate(let parts): for part in parts { visit(part, beside: other, depth - 1) }
        case .function(_, let parts): for part in parts { visit(part, beside: nil, depth - 1) }
        case .keyPath(let operand?, _): visit(operand, beside: nil, depth - 1)
        default: break
        }
    }

    private func kind(of expression: NSExpression) -> AttributeKind? {
        guard case .keyPath(_, let path) = expression.form, let entity, let route = try? KeyRoute(path, from: entity)
        else { return nil }
        switch route.end {
        case .attribute(let attribute), .element(let attribute, _, _): return AttributeKind(attribute)
        case .relationship: return .objectID
        default: return nil
        }
    }
}
