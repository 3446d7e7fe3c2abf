import CoreDataSQL

/// Collects the relationships that a predicate and sort descriptors follow, as key paths, in order to prefetch them.
///
/// Incomplete by design: relationships that it misses are read on first access.
struct RelationshipPaths {
    private(set) var paths: Set<[String]> = []
    private var variables: [String: [String]] = [:]

    init(_ predicate: NSPredicate?, _ descriptors: [NSSortDescriptor] = []) {
        if let predicate { add(predicate) }
        for descriptor in descriptors {
            if let key = descriptor.sorting.key { add(path: key, after: []) }
        }
    }

    init(_ expressions: [NSExpression]) { for expression in expressions { add(expression) } }

    private mutating func add(_ predicate: NSPredicate) {
        switch predicate {
        case let compound as Foundation.NSCompoundPredicate:
            for part in compound.subpredicates { add(part) }
        case let comparison as NSComparisonPredicate:
            add(comparison.leftExpression)
            add(comparison.rightExpression)
        default: break
        }
    }

    private mutating func add(_ expression: NSExpression) {
        switch expression.form {
        case .keyPath(nil, let path): add(path: path, after: [])
        case .keyPath(let operand?, let path):
            if case .variable(let name) = operand.form, let start = variables[name] {
                add(path: path, after: start)
            } else {
                add(operand)
            }
        case .function(_, let parts), .aggregate(let parts), .block(_, let parts): for part in parts { add(part) }
        case .set(_, let left, let right):
            add(left)
            add(right)
        case .assignment(_, let value): add(value)
        case .subquery(let collection, let variable, let predicate):
            add(collection)
            let outer = variables[variable]
            if case .keyPath(nil, let path) = collection.form { variables[variable] = Self.names(path) }
            add(predicate)
            variables[variable] = outer
        case .conditional(let predicate, let first, let second):
            add(predicate)
            add(first)
            add(second)
        case .constant, .evaluatedObject, .variable, .anyKey, .call, .fetch: break
        }
    }

    private mutating func add(path: String, after start: [String]) {
        let names = start + Self.names(path)
        if !names.isEmpty { paths.insert(names) }
    }

    private static func names(_ path: String) -> [String] {
        path.split(separator: ".").map(String.init).filter { !$0.hasPrefix("@") && $0 != "self" && $0 != "SELF" }
    }
}
