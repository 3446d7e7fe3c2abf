import CoreDataStore

/// The translation of group keys and of aggregates over the rows of a group.
extension QueryTranslator {
    /// Defines the variables that stand for group keys and for aggregates over a group's rows.
    mutating func nameValues(of grouping: ValueGrouping?) throws {
        guard let grouping else { return }
        var values: [String: Operand] = [:]
        for key in grouping.keys { values[key.name] = try operand(key.expression) }
        for (number, aggregate) in grouping.aggregates.enumerated() {
            values[ValueGrouping.aggregateName(number)] = try operand(of: aggregate)
        }
        self.values = values
    }

    /// Returns the expression by which rows are grouped.
    func groupValue(named key: ValueColumn) throws -> SQLExpression {
        let operand = values[key.name] ?? .constant(nil)
        if case .scalar(_, let kind) = operand, kind.isOpaque { throw opaque(kind) }
        if let column = self.key(of: operand) { return column }
        if case .entityName(let number, _) = operand { return number }
        return try value(of: operand).value
    }

    /// Returns the expression that orders groups totally, after all other orderings.
    func tie(named key: ValueColumn) throws -> SQLExpression {
        guard case .entityName(let number, let numbers)? = values[key.name] else { return try groupValue(named: key) }
        return try entityName(number, numbers)
    }

    /// Returns the entity number of a record, in the store's numbering; NULL if there is no record.
    mutating func entityNumber(of record: Record) throws -> SQLExpression {
        guard record.entity.familyNumbers.count > 1 || record.isOwnRow else { return .number(record.entity.number) }
        return .column(SQLColumn(try alias(of: record), "Z_ENT"))
    }

    private mutating func operand(of aggregate: GroupAggregate) throws -> Operand {
        if aggregate.argument.isList { return try operand(ofMembers: aggregate) }
        let operand = try operand(aggregate.argument.expression)
        if aggregate.function == .count {
            let value = try rowMark(of: operand) ?? key(of: operand) ?? value(of: operand).value
            return .scalar(.call(SQLAggregate.count.rawValue, [value]), .number(.whole))
        }
        let (value, kind) = try value(of: operand)
        guard let kind, let number = SQLFunctionLibrary.number(of: kind) else {
            throw QueryError.unsuitable(aggregate.function, operand)
        }
        return .scalar(
            Self.aggregate(aggregate.function, value: value, kind: kind, number: number),
            try resultKind(aggregate.function, kind: kind, operand: operand))
    }

    /// Returns a constant that stands for the record of the row itself, which is never NULL: to count rows, a database
    /// need not carry their keys while it sorts them into groups. Nil for other operands.
    private func rowMark(of operand: Operand) -> SQLExpression? {
        guard case .record(let record) = operand, record.key == root.key else { return nil }
        return .number(1)
    }

    /// Returns an aggregate over the lists of all rows, computed by a function of `SQLFunctionLibrary`.
    private mutating func operand(ofMembers aggregate: GroupAggregate) throws -> Operand {
        let (list, kind, number) = try list(of: aggregate.argument.expression)
        let value = SQLExpression.call(
            SQLFunctionLibrary.groupName(of: aggregate.function), [list, .number(number)])
        let operand = Operand.scalar(list, kind)
        return .scalar(value, try resultKind(aggregate.function, kind: kind, operand: operand))
    }

    /// Returns the values of a to-many relationship's members as one text, their kind, and the number by which the SQL
    /// functions identify a list of that kind.
    mutating func list(of expression: NSExpression) throws -> (SQLExpression, ValueKind, Int) {
        let operand = try operand(expression)
        guard case .collection(let collection) = operand else {
            throw unsuitable("an aggregate", left: operand, right: operand)
        }
        let (list, kind) = try items(of: collection)
        guard let number = SQLFunctionLibrary.number(of: kind) else { throw opaque(kind) }
        return (list, kind, number + SQLFunctionLibrary.listKinds)
    }

    /// Returns the database's own aggregate function where its result equals that in memory, otherwise one of
    /// `SQLFunctionLibrary`.
    private static func aggregate(
        _ function: ExpressionFunction, value: SQLExpression, kind: ValueKind, number: Int
    ) -> SQLExpression {
        switch (function, kind) {
        case (.min, let kind) where !kind.isExact: return .call("MIN", [value])
        case (.max, .number(.decimal)):
            return .call("coalesce", [.call("MAX", [numberOrNull(value)]), .call("MAX", [value])])
        case (.max, let kind) where !kind.isExact: return .call("MAX", [value])
        case (.sum, .number(.whole)):
            let upper = SQLExpression.call("SUM", [.arithmetic(.rightShift, value, .number(32))])
            let lower = SQLExpression.call("SUM", [.arithmetic(.and, value, .number(0xFFFF_FFFF))])
            return .call(SQLFunctionLibrary.wholeSum, [upper, lower])
        default: return .call(SQLFunctionLibrary.groupName(of: function), [value, .number(number)])
        }
    }

    private func resultKind(
        _ function: ExpressionFunction, kind: ValueKind, operand: Operand
    ) throws -> ValueKind {
        switch (function, kind) {
        case (.min, _), (.max, _), (.mode, _): return kind
        case (.average, .date), (.median, .date): return .date
        case (_, .date): return .number(.real)
        case (_, .number(let kind)): return .number(Self.kind(of: function, over: kind))
        default: throw QueryError.unsuitable(function, operand)
        }
    }
}
