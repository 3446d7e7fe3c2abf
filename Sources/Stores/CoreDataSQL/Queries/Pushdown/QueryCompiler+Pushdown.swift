import CoreDataStore

/// A query for rows of which a database evaluates as much as it can.
package struct PushedQuery: Sendable {
    /// Selects at least the rows of the query; with limit and offset only if `isWindowed` is true.
    ///
    /// If `isExact` is false, a last column is added: 1 for rows that match the query, 0 for rows in doubt.
    package let query: CompiledQuery
    /// Whether exactly the rows of the query are selected; otherwise some must be excluded in memory.
    package let isExact: Bool
    /// Whether the rows are returned in the query's order.
    package let isSorted: Bool
    /// Selects the same rows in the query's order, limited to offset plus limit: if no row is in doubt, the result is
    /// complete.
    ///
    /// Nil if the query is exact, if memory sorts the rows, or if the database cannot confirm any row.
    package let flagged: CompiledQuery?
    /// Whether `query` applies limit and offset.
    package var isWindowed: Bool { isExact && isSorted }
}

/// A query for the number of a query's rows.
package struct PushedCount: Sendable {
    package let query: CompiledQuery
    /// Whether the result is the number; otherwise its first column is the number of matching rows before limit and
    /// offset are applied, and its second column the number of the other rows, which are in doubt.
    package let isExact: Bool
}

extension QueryCompiler {
    /// Compiles a query for rows with the named columns of the entity's table, for a database without this framework's
    /// functions.
    ///
    /// What the database cannot evaluate exactly is left to memory: the query may return rows that do not match, or
    /// rows in the order of their keys instead of the query's.
    ///
    /// - Throws: what `select(_:columns:)` throws: both accept the same queries.
    package func pushed(_ query: FetchQuery, columns: [String], _ types: ColumnTypes) throws -> PushedQuery {
        var translator = try translator(for: query)
        let condition = try condition(of: query, &translator)
        let window = window(of: query)
        // A server returns rows in any order unless the orderings are total; other stores return rows with equal values
        // by key.
        let orderings = try translator.orderings(query.sortDescriptors, isTotal: true)
        let pushdown = Pushdown(types, translator.sources[0])
        let pushed = pushdown.condition(condition)
        let sorted = pushdown.orderings(orderings)
        let byKey = SQLSelect.Ordering(value: .column(translator.root.key), collation: nil, ascending: true)
        let asked = pushdown.served(pushed.upper)
        var select = SQLSelect(
            result: .columns(columns.map { SQLColumn(0, $0) }), source: translator.sources[0],
            condition: asked, orderings: sorted.map { query.limit > 0 ? pushdown.served($0) : $0 } ?? [byKey],
            window: pushed.isExact && sorted != nil ? window : nil)
        guard !pushed.isExact else {
            return PushedQuery(
                query: try rendered(select), isExact: true, isSorted: sorted != nil, flagged: nil)
        }
        let isCertain = SQLExpression.conditional(pushed.lower, then: .number(1), otherwise: .number(0))
        select = SQLSelect(
            result: .values(columns.map { .column(SQLColumn(0, $0)) } + [isCertain]), source: select.source,
            condition: asked, orderings: select.orderings)
        let narrowed = try rendered(select)
        guard sorted != nil, pushed.lower != .truth(false) else {
            return PushedQuery(query: narrowed, isExact: false, isSorted: sorted != nil, flagged: nil)
        }
        select.window = self.window(limit: query.limit > 0 ? query.limit + max(0, query.offset) : 0, offset: 0)
        return PushedQuery(query: narrowed, isExact: false, isSorted: true, flagged: try rendered(select))
    }

    /// Compiles a query for the number of rows; nil if the database cannot confirm any row.
    ///
    /// - Throws: what `count(_:)` throws.
    package func pushedCount(_ query: FetchQuery, _ types: ColumnTypes) throws -> PushedCount? {
        var translator = try translator(for: query)
        let condition = try condition(of: query, &translator)
        let source = translator.sources[0]
        let pushdown = Pushdown(types, source)
        let pushed = pushdown.condition(condition)
        let asked = pushdown.served(pushed.upper)
        if pushed.isExact {
            let select = SQLSelect(
                result: .one, source: source, condition: asked, window: window(of: query))
            return PushedCount(query: try renderedCount(select), isExact: true)
        }
        guard pushed.lower != .truth(false) else { return nil }
        func count(_ condition: SQLExpression) -> SQLExpression {
            .call("count", [.conditional(condition, then: .number(1), otherwise: .parameter(.null))])
        }
        let select = SQLSelect(
            result: .values([count(pushed.lower), count(pushed.lower.negated)]), source: source,
            condition: asked)
        return PushedCount(query: try rendered(select), isExact: false)
    }

    /// Compiles the query for values; nil if the database cannot compute them exactly.
    ///
    /// - Throws: what `values(_:)` throws.
    package func pushedValues(_ query: ValueQuery, _ types: ColumnTypes) throws -> CompiledValues? {
        let (select, shapes) = try valuesSelect(query)
        return try Pushdown(types, select.source, isGrouped: !select.grouping.isEmpty).select(select).map {
            CompiledValues(query: try rendered($0), shapes: shapes)
        }
    }
}

extension Pushdown {
    /// Returns the orderings as the database computes them; nil if one of them might differ from memory's.
    func orderings(_ orderings: [SQLSelect.Ordering]) -> [SQLSelect.Ordering]? {
        var pushed: [SQLSelect.Ordering] = []
        for ordering in orderings {
            guard ordering.collation == nil, let value = value(ordering.value), value.isCertain else {
                return nil
            }
            pushed.append(.init(value: value.expression, collation: nil, ascending: ordering.ascending))
        }
        return pushed
    }

    /// Whether the server accepts results and orders of groups and of distinct rows: a group has its keys and the
    /// numbers of its rows, and distinct rows are sorted by their values.
    private func isGroupable(_ select: SQLSelect, _ results: [SQLExpression], keys: [SQLExpression]) -> Bool {
        let orders = select.orderings.map(\.value)
        let isSortable = !select.isDistinct || orders.allSatisfy { results.contains($0) }
        guard keys.isEmpty else {
            return isSortable && keys.allSatisfy(isRepeatable)
                && (results + orders).allSatisfy { keys.contains($0) || isCount($0) }
                && (!select.isDistinct || orders.allSatisfy { keys.contains($0) || isRepeatableCount($0) })
        }
        return isSortable && (!select.isDistinct || results.allSatisfy(isRepeatable))
    }

    /// Whether the server recognizes an expression as the same one when it occurs twice: it has no parameters.
    private func isRepeatable(_ expression: SQLExpression) -> Bool {
        switch expression {
        case .column: true
        case .day(let time): isRepeatable(time)
        default: false
        }
    }

    /// Whether an expression is the number of a group's rows.
    private func isCount(_ expression: SQLExpression) -> Bool {
        if case .call(SQLAggregate.count.rawValue, _) = expression { true } else { false }
    }

    /// Whether the server recognizes the number of a group's rows as the same one when it occurs twice.
    private func isRepeatableCount(_ expression: SQLExpression) -> Bool {
        guard case .call(SQLAggregate.count.rawValue, let arguments) = expression else { return false }
        return arguments.allSatisfy { if case .number = $0 { true } else { isRepeatable($0) } }
    }

    /// Returns the query for values if the database computes each of its parts exactly; otherwise nil.
    func select(_ select: SQLSelect) -> SQLSelect? {
        guard case .values(let values) = select.result else { return nil }
        let (condition, groups) = (condition(select.condition), condition(select.groupCondition))
        let (results, keys) = (values.compactMap { value($0) }, select.grouping.compactMap { value($0) })
        guard condition.isExact, groups.isExact, results.count == values.count, keys.count == select.grouping.count,
            // A result of integer arithmetic is an integer or a real in memory, but a number with any number of digits
            // here.
            !results.contains(where: { $0.kind == .mixed || !$0.isCertain }), keys.allSatisfy(\.isCertain),
            isGroupable(select, results.map(\.expression), keys: keys.map(\.expression)),
            let orderings = orderings(select.orderings)
        else { return nil }
        var pushed = SQLSelect(
            result: .values(results.map(\.expression)), source: select.source, condition: served(condition.upper))
        pushed.isDistinct = select.isDistinct
        pushed.grouping = keys.map(\.expression)
        pushed.groupCondition = groups.upper
        // Distinct rows and groups can only be sorted by expressions that are among their values.
        let mayBeServed = select.window?.limit != nil && !select.isDistinct && select.grouping.isEmpty
        pushed.orderings = mayBeServed ? served(orderings) : orderings
        pushed.window = select.window
        return pushed
    }
}
