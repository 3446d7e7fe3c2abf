import CoreDataStore

/// A query for values as SQL, and how the cells of its rows form the values of the result.
package struct CompiledValues {
    /// Which cells of a row form one value of the result.
    package enum Shape: Equatable {
        /// An attribute's value as it is stored.
        case stored(cell: Int)
        /// The stored elements of a composite; nil for an element without a column.
        case composite(cells: [Int?])
        /// An object, as key and entity number.
        case reference(key: Int, entity: Int)
        /// A computed value with the number of its kind, which `SQLFunctionLibrary` decodes.
        case calculated(cell: Int, kind: Int64)
        /// The number of an entity, which the result replaces by the entity's name.
        case entityName(cell: Int)
        /// Nil in all rows.
        case null
    }

    package let query: CompiledQuery
    package let shapes: [Shape]
}

extension QueryCompiler {
    /// Compiles a query for values, in the query's order.
    ///
    /// - Throws: `QueryError` for an expression without SQL, `ExpressionError` for one that cannot be evaluated in
    ///   memory either.
    package func values(_ query: ValueQuery) throws -> CompiledValues {
        let (select, shapes) = try valuesSelect(query)
        return CompiledValues(query: try rendered(select), shapes: shapes)
    }

    /// Returns the SQL tree of a query for values, and how the cells of its rows form the values.
    func valuesSelect(_ query: ValueQuery) throws -> (select: SQLSelect, shapes: [CompiledValues.Shape]) {
        var translator = try translator(for: query.rows)
        let condition = try condition(of: query.rows, &translator)
        try translator.nameValues(of: query.grouping)
        var cells = ValueCells(query)
        for column in query.columns { try cells.append(column, &translator) }
        let window = window(limit: query.limit, offset: query.offset)
        var select = SQLSelect(
            result: .values(cells.values.isEmpty ? [.parameter(.null)] : cells.values), source: translator.sources[0],
            condition: condition)
        select.isDistinct = query.isDistinct
        select.window = window
        if let grouping = query.grouping {
            select.grouping = try grouping.keys.map { try translator.groupValue(named: $0) }
            if let having = grouping.condition {
                try QueryLimits.check(having)
                select.groupCondition = try translator.condition(having)
            }
        }
        select.orderings = try orderings(query, cells: cells, isTotal: window != nil, translator: &translator)
        // Keys, conditions and orderings may have added joins to the source.
        return (select.from(translator.sources[0]), cells.shapes)
    }

    private func orderings(
        _ query: ValueQuery, cells: ValueCells, isTotal: Bool, translator: inout QueryTranslator
    ) throws -> [SQLSelect.Ordering] {
        var orderings = try query.orderings.map {
            try translator.ordering(translator.operand($0.expression), sorting: $0.sorting, path: $0.name)
        }
        guard isTotal else { return orderings }
        let ties: [SQLExpression] =
            if let grouping = query.grouping {
                try grouping.keys.map { try translator.tie(named: $0) }
            } else {
                query.isDistinct ? cells.ties : [.column(translator.root.key)]
            }
        for value in ties where !value.isLiteral && !orderings.contains(where: { $0.value == value }) {
            orderings.append(.init(value: value, collation: nil, ascending: true))
        }
        return orderings
    }
}

extension SQLExpression {
    /// Whether the value is the same for all rows; in ORDER BY, a number would mean the index of a column.
    fileprivate var isLiteral: Bool {
        switch self {
        case .number, .parameter: true
        default: false
        }
    }
}

extension SQLSelect {
    fileprivate func from(_ source: SQLSource) -> SQLSelect {
        var select = SQLSelect(result: result, source: source, condition: condition)
        select.isDistinct = isDistinct
        select.grouping = grouping
        select.groupCondition = groupCondition
        select.orderings = orderings
        select.window = window
        return select
    }
}

/// The cells of a row, and the values of the result that they form.
private struct ValueCells {
    private(set) var values: [SQLExpression] = []
    private(set) var shapes: [CompiledValues.Shape] = []
    /// The expressions that order distinct rows totally.
    private(set) var ties: [SQLExpression] = []
    private let query: ValueQuery

    init(_ query: ValueQuery) { self.query = query }

    mutating func append(_ column: ValueColumn, _ translator: inout QueryTranslator) throws {
        shapes.append(try shape(of: column, &translator))
    }

    private mutating func shape(
        of column: ValueColumn, _ translator: inout QueryTranslator
    ) throws -> CompiledValues.Shape {
        if column.isList {
            let (list, _, number) = try translator.list(of: column.expression)
            return .calculated(cell: cell(list), kind: Int64(number))
        }
        switch column.content {
        case .attribute(let attribute, .composite):
            return .composite(cells: try composite(attribute, column: column, translator: &translator))
        case .attribute:
            return .stored(cell: cell(try translator.value(of: translator.operand(column.expression)).value))
        case .reference, .calculation:
            return try shape(of: try translator.operand(column.expression), &translator)
        }
    }

    private mutating func cell(_ value: SQLExpression) -> Int {
        values.append(value)
        ties.append(value)
        return values.count - 1
    }

    private mutating func cell(_ number: SQLExpression, naming name: SQLExpression) -> Int {
        values.append(number)
        ties.append(name)
        return values.count - 1
    }

    private mutating func shape(
        of operand: Operand, _ translator: inout QueryTranslator
    ) throws -> CompiledValues.Shape {
        switch operand {
        case .record(let record):
            let number = try translator.entityNumber(of: record)
            return .reference(key: cell(.column(record.key)), entity: cell(number))
        case .entityName(let number, let numbers):
            return .entityName(cell: cell(number, naming: try translator.entityName(number, numbers)))
        default: break
        }
        let (value, kind) = try translator.value(of: operand)
        guard let kind else { return .null }
        guard let number = SQLFunctionLibrary.number(of: kind) else { throw translator.opaque(kind) }
        return .calculated(cell: cell(value), kind: Int64(number))
    }

    private mutating func composite(
        _ attribute: NSAttributeDescription, column: ValueColumn, translator: inout QueryTranslator
    ) throws -> [Int?] {
        guard case .keyPath(nil, let path) = query.recordExpression(of: column).form else { return [] }
        return try CompositeCoding.leaves(of: attribute).map { leaf in
            let path = ([path] + leaf.path).joined(separator: ".")
            let operand = try translator.operand(NSExpression(.keyPath(operand: nil, path: path)))
            return cell(try translator.value(of: operand).value)
        }
    }
}
