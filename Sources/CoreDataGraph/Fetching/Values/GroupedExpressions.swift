import CoreDataStore

/// Takes expressions apart into what is of a group: its keys, and aggregates over its rows.
struct GroupedExpressions {
    let entity: NSEntityDescription
    var grouping: ValueGrouping
    /// Texts of the keys' expressions, with their variables.
    private let keyNames: [String: String]
    private var aggregateNames: [String: String] = [:]

    init(entity: NSEntityDescription, keys: [ValueColumn]) {
        self.entity = entity
        let named = keys.enumerated().map { number, key in
            ValueColumn(name: ValueGrouping.keyName(number), expression: key.expression, content: key.content)
        }
        grouping = ValueGrouping(keys: named)
        keyNames = Dictionary(
            named.map { ($0.expression.formatString, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// The column with variables in place of keys and aggregates.
    mutating func grouped(_ column: ValueColumn) throws -> ValueColumn {
        ValueColumn(name: column.name, expression: try grouped(column.expression), content: column.content)
    }

    mutating func grouped(_ ordering: ValueOrdering) throws -> ValueOrdering {
        let expression = try grouped(ordering.expression)
        try requireGrouped(expression, ordering.name)
        return ValueOrdering(expression: expression, sorting: ordering.sorting, name: ordering.name)
    }

    mutating func grouped(_ predicate: NSPredicate) throws -> NSPredicate {
        let result = try rewriting { try $0.applied(to: predicate) }
        _ = try recordCheck("havingPredicate").applied(to: result)
        return result
    }

    private mutating func grouped(_ expression: NSExpression) throws -> NSExpression {
        try rewriting { try $0.applied(to: expression) }
    }

    private mutating func rewriting<Result>(_ body: (ExpressionRewriting) throws -> Result) rethrows -> Result {
        // The closure escapes, so what it finds goes through a box.
        let found = Box(self)
        defer { self = found.content }
        return try body(ExpressionRewriting { try found.content.replacement($0) })
    }

    private final class Box {
        var content: GroupedExpressions
        init(_ content: GroupedExpressions) { self.content = content }
    }

    // MARK: Parts

    private mutating func replacement(_ expression: NSExpression) throws -> NSExpression? {
        if let name = keyNames[expression.formatString] { return NSExpression(.variable(name)) }
        let expression = Self.ownOperator(expression) ?? expression
        guard case .function(let function, let arguments) = expression.form, function.isAggregation,
            arguments.count == 1, isOfRows(arguments[0])
        else { return nil }
        try requireNoAggregate(arguments[0])
        let text = expression.formatString
        if let known = aggregateNames[text] { return NSExpression(.variable(known)) }
        let name = ValueGrouping.aggregateName(grouping.aggregates.count)
        aggregateNames[text] = name
        grouping.aggregates.append(GroupAggregate(function: function, argument: argument(arguments[0])))
        return NSExpression(.variable(name))
    }

    private func argument(_ expression: NSExpression) -> ValueColumn {
        let path: ValuePath? =
            switch expression.form {
            case .evaluatedObject: ValuePath("self", from: entity)
            case .keyPath(nil, let path): ValuePath(path, from: entity)
            default: nil
            }
        return ValueColumn(
            name: "", expression: expression, content: path?.content ?? .calculation(.undefinedAttributeType))
    }

    /// Whether an argument has one value for each row, over which a function goes: not where it is a list itself.
    private func isOfRows(_ argument: NSExpression) -> Bool {
        switch argument.form {
        case .keyPath(nil, let path):
            guard case .collection? = try? RecordPath(path, from: entity) else { return true }
            return false
        case .constant, .aggregate, .set, .subquery, .variable, .block, .function(.distinct, _): return false
        default: return true
        }
    }

    /// A path that begins with an operator is about all rows: `@sum.salary` is `sum:(salary)`.
    static func ownOperator(_ expression: NSExpression) -> NSExpression? {
        guard case .keyPath(nil, let path) = expression.form, path.hasPrefix("@") else { return nil }
        let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
        guard let function = operators[parts[0]] else { return nil }
        let argument: ExpressionForm = parts.count == 2 ? .keyPath(operand: nil, path: parts[1]) : .evaluatedObject
        return NSExpression(.function(function, arguments: [NSExpression(argument)]))
    }

    static func withoutOwnOperators(_ expression: NSExpression) -> NSExpression {
        (try? ExpressionRewriting(ownOperator).applied(to: expression)) ?? expression
    }

    private static let operators: [String: ExpressionFunction] = [
        "@count": .count, "@sum": .sum, "@avg": .average, "@min": .min, "@max": .max,
    ]

    private func requireNoAggregate(_ expression: NSExpression) throws {
        let check = ExpressionRewriting { part in
            if case .function(let function, let arguments) = part.form, function.isAggregation, arguments.count == 1,
                isOfRows(arguments[0])
            {
                throw QueryRefusal.make("an aggregate cannot be taken of another: \(expression.formatString)")
            }
            return nil
        }
        _ = try check.applied(to: expression)
    }

    // MARK: What is left

    /// Sees to it that an expression has only keys, aggregates and constants.
    ///
    /// - Throws: 134060 naming what is neither grouped nor aggregated.
    func requireGrouped(_ expression: NSExpression, _ name: String) throws {
        _ = try recordCheck(name).applied(to: expression)
    }

    private func recordCheck(_ name: String) -> ExpressionRewriting {
        ExpressionRewriting { part in
            try requireNoRecord(part, name)
            return nil
        }
    }

    private func requireNoRecord(_ expression: NSExpression, _ name: String) throws {
        switch expression.form {
        case .keyPath(nil, _), .evaluatedObject, .subquery:
            let path = expression.formatString
            throw QueryRefusal.make(
                entity, path,
                "what is selected, sorted or chosen by together with aggregates or propertiesToGroupBy must be named in "
                    + "propertiesToGroupBy or be an aggregate"
                    + (path == name ? "" : "; '\(name)' is neither"))
        default: return
        }
    }
}
