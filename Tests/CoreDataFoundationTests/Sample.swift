import CoreDataFoundation

/// An object with named properties, as a managed object will be.
final class Sample: MutableKeyValueCoding {
    var values: [String: Any?]
    let keys: [String]
    private(set) var reads: [String] = []

    init(_ values: [String: Any?]) {
        self.values = values
        keys = values.keys.sorted()
    }

    var codedKeys: [String] { keys }
    var size: Int { keys.count }

    func codedValue(forKey key: String) throws -> Any? {
        guard let value = values[key] else { throw unknownKey(key) }
        reads.append(key)
        return value
    }

    func setCodedValue(_ value: Any?, forKey key: String) throws {
        guard keys.contains(key) else { throw unknownKey(key) }
        values[key] = .some(value)
    }
}

/// Whether a format string holds for an object.
func holds(_ format: String, _ arguments: Any?..., on object: Any?, variables: [String: Any] = [:]) throws -> Bool {
    try evaluation(of: NSPredicate(parsing: format, arguments: arguments), on: object, variables: variables)
}

/// The value of an expression in a format string.
func value(_ format: String, _ arguments: Any?..., on object: Any? = nil) throws -> Any? {
    try NSExpression(parsing: format, arguments: arguments).value(on: object)
}

/// The outline of a tree, by its structure and not by its text.
func outline(_ predicate: NSPredicate) -> String {
    outline(PredicateNode(predicate))
}

private func outline(_ node: PredicateNode) -> String {
    switch node {
    case .constant(let value): "\(value)"
    case .and(let parts): "and(" + parts.map(outline).joined(separator: ",") + ")"
    case .or(let parts): "or(" + parts.map(outline).joined(separator: ",") + ")"
    case .not(let part): "not(" + outline(part) + ")"
    case .opaque: "opaque"
    case .comparison(let comparison):
        "\(comparison.comparisonPredicateModifier).\(comparison.predicateOperatorType).\(comparison.options.rawValue)("
            + outline(comparison.leftExpression) + "," + outline(comparison.rightExpression) + ")"
    }
}

func outline(_ expression: NSExpression) -> String {
    switch expression.form {
    case .constant(let value): "constant<\(value.map { "\(type(of: $0)):\($0)" } ?? "nil")>"
    case .evaluatedObject: "self"
    case .variable(let name): "$\(name)"
    case .keyPath(let operand, let path): "path(\(operand.map(outline) ?? ""),\(path))"
    case .function(let function, let parts): "\(function)(" + parts.map(outline).joined(separator: ",") + ")"
    case .call(let receiver, let name, let parts):
        "call(\(outline(receiver)),\(name)," + parts.map(outline).joined(separator: ",") + ")"
    case .aggregate(let parts): "[" + parts.map(outline).joined(separator: ",") + "]"
    case .set(let operation, let left, let right): "\(operation)(\(outline(left)),\(outline(right)))"
    case .subquery(let list, let name, let predicate): "subquery(\(outline(list)),\(name),\(outline(predicate)))"
    case .conditional(let condition, let yes, let no): "if(\(outline(condition)),\(outline(yes)),\(outline(no)))"
    case .anyKey: "anykey"
    case .assignment(let name, let value): "assign(\(name),\(outline(value)))"
    case .fetch(let request, let context, let isCountOnly):
        "fetch(\(outline(request)),\(outline(context)),\(isCountOnly))"
    case .block: "block"
    }
}
