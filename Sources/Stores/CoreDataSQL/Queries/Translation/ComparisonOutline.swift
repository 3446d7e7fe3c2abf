import CoreDataStore

/// A comparison as messages show it: its keys, operators and functions, with a question mark for every value.
enum ComparisonOutline {
    private static let greatestDepth = 4

    static func text(of predicate: NSComparisonPredicate) -> String {
        let modifier =
            switch predicate.comparisonPredicateModifier {
            case .direct: ""
            case .any: "ANY "
            case .all: "ALL "
            }
        let left = text(of: predicate.leftExpression, 0)
        return "\(modifier)\(left) \(predicate.predicateOperatorType.name) \(text(of: predicate.rightExpression, 0))"
    }

    private static func text(of expression: NSExpression, _ depth: Int) -> String {
        guard depth < greatestDepth else { return "…" }
        let part = { text(of: $0, depth + 1) }
        switch expression.form {
        case .constant: return "?"
        case .evaluatedObject: return "SELF"
        case .variable(let name): return "$\(name)"
        case .keyPath(nil, let path): return String(path.prefix(100))
        case .keyPath(let start?, let path): return "\(part(start)).\(path.prefix(100))"
        case .function(let function, let arguments):
            guard let sign = function.infixSign, arguments.count == 2 else {
                return "\(function.rawValue)(\(list(arguments, part)))"
            }
            return "\(part(arguments[0])) \(sign.first.map(String.init) ?? "") \(part(arguments[1]))"
        case .aggregate(let elements): return "{\(list(elements, part))}"
        case .set(let operation, let left, let right): return "\(part(left)) \(operation.rawValue) \(part(right))"
        case .subquery(let collection, let variable, _): return "SUBQUERY(\(part(collection)), $\(variable), …)"
        case .conditional(_, let first, let second): return "TERNARY(…, \(part(first)), \(part(second)))"
        case .assignment(let name, let value): return "$\(name) := \(part(value))"
        case .fetch: return "FETCH(…)"
        case .anyKey: return "ANYKEY"
        case .call: return "FUNCTION(…)"
        case .block: return "a block"
        }
    }

    private static func list(_ parts: [NSExpression], _ text: (NSExpression) -> String) -> String {
        parts.prefix(4).map(text).joined(separator: ", ") + (parts.count > 4 ? ", …" : "")
    }
}
