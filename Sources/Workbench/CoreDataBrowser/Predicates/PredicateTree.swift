import CoreData

/// A predicate as the predicate builder shows it: comparisons of a key path with a constant or a variable, combined by
/// AND, OR and NOT.
struct PredicateTree {
    private static let greatestDepth = 50

    private let entity: NSEntityDescription

    init(_ entity: NSEntityDescription) { self.entity = entity }

    /// The tree of a predicate; nil if a part of the predicate has another form.
    func json(_ predicate: NSPredicate) -> JSONValue? { json(PredicateNode(predicate), Self.greatestDepth) }

    private func json(_ node: PredicateNode, _ depth: Int) -> JSONValue? {
        guard depth > 0 else { return nil }
        switch node {
        case .and(let parts): return group("and", parts: parts, depth: depth)
        case .or(let parts): return group("or", parts: parts, depth: depth)
        case .not(.comparison(let comparison)) where comparison.comparisonPredicateModifier == .any:
            return self.comparison(comparison, modifier: "NONE")
        case .not(let part): return group("not", parts: [part], depth: depth)
        case .comparison(let comparison):
            switch comparison.comparisonPredicateModifier {
            case .direct: return self.comparison(comparison, modifier: nil)
            case .any: return self.comparison(comparison, modifier: "ANY")
            case .all: return self.comparison(comparison, modifier: "ALL")
            }
        case .constant, .opaque: return nil
        }
    }

    private func group(_ kind: String, parts: [PredicateNode], depth: Int) -> JSONValue? {
        let parts = parts.map { json($0, depth - 1) }
        guard !parts.contains(where: { $0 == nil }) else { return nil }
        return .object([("kind", .string(kind)), ("parts", .array(parts.compactMap(\.self)))])
    }

    private func comparison(_ comparison: NSComparisonPredicate, modifier: String?) -> JSONValue? {
        guard case .keyPath(nil, let path) = comparison.leftExpression.form,
            let symbol = Self.symbol(comparison.predicateOperatorType)
        else { return nil }
        let (variable, constant) = (variable(comparison.rightExpression), value(comparison.rightExpression, path))
        guard variable != nil || constant != nil else { return nil }
        var options = ""
        if comparison.options.contains(.caseInsensitive) { options += "c" }
        if comparison.options.contains(.diacriticInsensitive) { options += "d" }
        return .object([
            ("kind", .string("comparison")), ("key", .string(path)), ("operator", .string(symbol)),
            ("options", .string(options)), ("modifier", .text(modifier)),
            ("value", constant ?? .null), ("variable", .text(variable)),
        ])
    }

    /// The name of a variable without `$`; nil for another expression.
    private func variable(_ expression: NSExpression) -> String? {
        guard case .variable(let name) = expression.form else { return nil }
        return name
    }

    private func value(_ expression: NSExpression, _ path: String) -> JSONValue? {
        switch expression.form {
        case .constant(let value as [Any]): return .array(value.map { json($0, path) })
        case .constant(let id as NSManagedObjectID): return .string(id.shortText)
        case .constant(let value): return json(value, path)
        case .aggregate(let parts):
            let values = parts.map { value($0, path) }
            return values.contains { $0 == nil } ? nil : .array(values.compactMap(\.self))
        default: return nil
        }
    }

    private func json(_ value: Any?, _ path: String) -> JSONValue {
        if let id = value as? NSManagedObjectID { return .string(id.shortText) }
        if let route = try? KeyRoute(path, from: entity), let attribute = route.attribute {
            return ValueCoding.json(value, AttributeKind(attribute))
        }
        return ValueCoding.json(value, .undefined)
    }

    private static func symbol(_ type: NSComparisonPredicate.Operator) -> String? {
        switch type {
        case .equalTo: "=="
        case .notEqualTo: "!="
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        case .contains: "CONTAINS"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .like: "LIKE"
        case .matches: "MATCHES"
        case .in: "IN"
        case .between: "BETWEEN"
        case .customSelector: nil
        }
    }
}
