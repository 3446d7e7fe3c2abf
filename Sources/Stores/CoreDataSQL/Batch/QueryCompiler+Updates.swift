import CoreDataStore

extension QueryCompiler {
    /// Compiles one UPDATE statement that applies the assignments to all rows of the query and increments their
    /// versions.
    ///
    /// The query's sort order, limit and offset are ignored. With the report `addresses`, the statement returns keys
    /// and entity numbers of the changed rows. A migration changes no object, so it passes false for `raisesVersions`.
    /// - Throws: `QueryError` for an expression without SQL or of another type than its attribute, `ExpressionError`
    ///   for one that cannot be evaluated in memory either.
    package func update(
        _ query: FetchQuery, _ assignments: [BatchAssignment], report: BatchReport, raisesVersions: Bool = true
    ) throws -> CompiledUpdate {
        var translator = try translator(for: query)
        let condition = try condition(of: query, &translator)
        var computed: [SQLExpression] = []
        var conversions: [AssignedValue] = []
        for case (_, .computed(let expression, let attribute)) in assignments.map({ ($0.column, $0.source) }) {
            try QueryLimits.check(
                NSComparisonPredicate(
                    leftExpression: expression, rightExpression: expression, modifier: .direct, type: .equalTo))
            let (value, kind) = try self.value(of: expression, for: attribute, &translator)
            computed.append(
                .call(AssignedValue.functionName, [.number(conversions.count), value]))
            conversions.append(AssignedValue(kind: kind, attribute: attribute))
        }
        let select = SQLSelect(
            result: .values([.column(translator.root.key)] + computed), source: translator.sources[0],
            condition: condition)
        let table = SQLIdentifier.quoted(translator.root.entity.table)
        var renderer = SQLRenderer(dialect)
        if computed.isEmpty {
            try renderer.append(updating: table, assignments, raisesVersions: raisesVersions)
            try renderer.append(choosing: select)
        } else {
            let names = computed.indices.map { ", v\($0)" }.joined()
            renderer.append("WITH n(k\(names)) AS MATERIALIZED (")
            try renderer.append(select)
            renderer.append(") ")
            try renderer.append(updating: table, assignments, raisesVersions: raisesVersions)
            renderer.append(" FROM n WHERE \(table).Z_PK = n.k")
        }
        if report == .addresses { renderer.append(" RETURNING Z_PK, Z_ENT") }
        return CompiledUpdate(
            query: CompiledQuery(sql: renderer.sql, parameters: renderer.parameters),
            rows: try rows(select.source, condition, key: translator.root.key), conversions: conversions)
    }

    private func rows(_ source: SQLSource, _ condition: SQLExpression, key: SQLColumn) throws -> CompiledQuery? {
        guard condition != .truth(true) else { return nil }
        var renderer = SQLRenderer(dialect)
        try renderer.append(SQLSelect(result: .values([.column(key)]), source: source, condition: condition))
        return CompiledQuery(sql: renderer.sql, parameters: renderer.parameters)
    }

    private func value(
        of expression: NSExpression, for attribute: NSAttributeDescription, _ translator: inout QueryTranslator
    ) throws -> (SQLExpression, ValueKind) {
        let wanted = ValueKind(attribute.attributeType)
        let (value, kind) = try translator.value(of: translator.operand(expression))
        guard let wanted, kind.map({ $0.isComparable(to: wanted) }) ?? true else {
            throw QueryError(
                .unsuitableType, entity: translator.root.entity.name, key: attribute.name,
                "the expression gives \(kind?.name ?? "nil"), which is no value of the attribute")
        }
        return (value, kind ?? wanted)
    }
}

extension SQLRenderer {
    /// Appends the UPDATE statement without the condition that selects the rows.
    fileprivate mutating func append(
        updating table: String, _ assignments: [BatchAssignment], raisesVersions: Bool
    ) throws {
        append("UPDATE \(table) SET Z_OPT = \(raisesVersions ? "IFNULL(CAST(Z_OPT AS INTEGER), 0) + 1" : "Z_OPT")")
        var computed = 0
        for assignment in assignments {
            append(", \(SQLIdentifier.quoted(assignment.column)) = ")
            switch assignment.source {
            case .parameter(let value): try bind(value)
            case .largeValue(let value):
                append(AssignedValue.largeValueFunctionName + "(")
                try bind(value)
                append(")")
            case .computed(_, let attribute):
                let value = "n.v\(computed)"
                computed += 1
                append(
                    attribute.allowsExternalBinaryDataStorage
                        ? "\(AssignedValue.largeValueFunctionName)(\(value))" : value)
            case .lastPlace(let keyColumn, let key):
                let place = SQLIdentifier.quoted(assignment.column)
                append(
                    "(SELECT IFNULL(MAX(\(place)), 1024) + 1024 FROM \(table) WHERE \(SQLIdentifier.quoted(keyColumn)) = "
                )
                try bind(key)
                append(")")
            }
        }
    }

    /// Appends the condition that the rows are those of `select`; appends nothing if `select` matches all rows of the
    /// table.
    fileprivate mutating func append(choosing select: SQLSelect) throws {
        guard select.condition != .truth(true) else { return }
        append(" WHERE Z_PK IN (")
        try append(select)
        append(")")
    }
}
