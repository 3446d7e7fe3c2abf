import CoreDataStore

/// Splits the expressions of a grouped fetch into the group's keys and the aggregates over its rows.
struct GroupedExpressions {
    let entity: NSEntityDescription
    var grouping: ValueGrouping
    /// The variables of the keys, by the texts of their expressions.
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

    /// The column with its keys and aggregates replaced by variables.
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
        // The closure escapes, so it changes a copy in a box, which is copied back.
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
        if let function = functionOverMembers(expression) { return total(of: expression, function) }
        if let average = averageOverMembers(expression) { return average }
        if let aggregate = try aggregateOfMemberValues(expression) { return aggregate }
        guard case .function(let function, let arguments) = expression.form, function.isAggregation,
            arguments.count == 1, isOfRows(arguments[0])
        else { return nil }
        try requireNoAggregate(arguments[0])
        let column = argument(arguments[0])
        return variable(for: expression, function, column)
    }

    /// The variable for an aggregate, which is added to the grouping when it first occurs.
    private mutating func variable(
        for expression: NSExpression, _ function: ExpressionFunction, _ argument: @autoclosure () -> ValueColumn
    ) -> NSExpression {
        let text = expression.formatString
        if let known = aggregateNames[text] { return NSExpression(.variable(known)) }
        let name = ValueGrouping.aggregateName(grouping.aggregates.count)
        aggregateNames[text] = name
        grouping.aggregates.append(GroupAggregate(function: function, argument: argument()))
        return NSExpression(.variable(name))
    }

    /// Aggregates a value that is computed over the members of each row over all rows of a group.
    private mutating func total(of expression: NSExpression, _ function: ExpressionFunction) -> NSExpression {
        variable(
            for: expression, function,
            ValueColumn(name: "", expression: expression, content: .calculation(.undefinedAttributeType)))
    }

    /// The median, deviation or mode over the members of all rows of a group, which cannot be computed from those of
    /// each row; nil for any other expression, and without groups.
    ///
    /// - Throws: `NSCoreDataError` for members whose values the function does not support.
    private mutating func aggregateOfMemberValues(_ expression: NSExpression) throws -> NSExpression? {
        guard !grouping.keys.isEmpty, let members = aggregateOverMembers(expression),
            [.median, .standardDeviation, .mode].contains(members.function)
        else { return nil }
        try MemberValues(path: members.path, from: entity).require(for: members.function)
        return variable(
            for: expression, members.function,
            ValueColumn(
                name: "", expression: NSExpression(.keyPath(operand: nil, path: members.path)),
                content: .calculation(.undefinedAttributeType), isList: true))
    }

    /// The average over the members of all rows of a group, as their sum divided by their count; nil for any other
    /// expression, and without groups.
    private mutating func averageOverMembers(_ expression: NSExpression) -> NSExpression? {
        guard !grouping.keys.isEmpty, let members = aggregateOverMembers(expression), members.function == .average
        else {
            return nil
        }
        let values = NSExpression(.keyPath(operand: nil, path: members.path))
        let sum = total(of: NSExpression(.function(.sum, arguments: [values])), .sum)
        let count = total(of: NSExpression(.function(.count, arguments: [values])), .sum)
        // Multiplied by 1.0, since a quotient of integers is truncated.
        let number = NSExpression(.function(.multiply, arguments: [sum, NSExpression(.constant(1.0))]))
        return NSExpression(.function(.divide, arguments: [number, count]))
    }

    /// The function that combines the rows' values of an aggregate over members, such as `count:(pets.name)` or
    /// `pets.@count`; nil for other expressions, for functions whose values cannot be combined, and without groups.
    private func functionOverMembers(_ expression: NSExpression) -> ExpressionFunction? {
        guard !grouping.keys.isEmpty, let members = aggregateOverMembers(expression) else { return nil }
        switch members.function {
        case .count, .sum: return .sum
        case .min, .max: return members.function
        default: return nil
        }
    }

    /// The function of an aggregate over members, and the key path to the aggregated values; nil for other expressions.
    private func aggregateOverMembers(_ expression: NSExpression) -> (function: ExpressionFunction, path: String)? {
        switch expression.form {
        case .function(let function, let arguments) where function.isAggregation && arguments.count == 1:
            guard case .keyPath(nil, let path) = arguments[0].form, isOfMembers(path) else { return nil }
            return (function, path)
        case .keyPath(nil, let path):
            let parts = path.split(separator: ".").map(String.init)
            guard let place = parts.firstIndex(where: { $0.hasPrefix("@") }), place > 0,
                let function = Self.operators[parts[place]], isOfMembers(parts[..<place].joined(separator: "."))
            else { return nil }
            return (function, (parts[..<place] + parts[(place + 1)...]).joined(separator: "."))
        default: return nil
        }
    }

    private func isOfMembers(_ path: String) -> Bool {
        guard case .collection? = try? RecordPath(path, from: entity) else { return false }
        return true
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

    /// Whether an argument has one value for each row, so that a function aggregates the rows; false if it is a list
    /// itself.
    private func isOfRows(_ argument: NSExpression) -> Bool {
        switch argument.form {
        case .keyPath(nil, let path):
            guard case .collection? = try? RecordPath(path, from: entity) else { return true }
            return false
        case .constant, .aggregate, .set, .subquery, .variable, .block, .function(.distinct, _): return false
        default: return true
        }
    }

    /// A key path that begins with an operator aggregates all rows: `@sum.salary` is replaced by `sum:(salary)`.
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

    /// Checks that an expression has only keys, aggregates and constants.
    ///
    /// - Throws: `NSCoreDataError` that names the part that is neither grouped nor aggregated.
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
                entity, key: path,
                reason:
                    "what is selected, sorted or chosen by together with aggregates or propertiesToGroupBy must be named in "
                    + "propertiesToGroupBy or be an aggregate"
                    + (path == name ? "" : "; '\(name)' is neither"))
        default: return
        }
    }
}
