import CoreDataStore

/// A query for rows of which a database decides as much as it can.
package struct PushedQuery: Sendable {
    /// All rows that the query may have, at most those of the window.
    ///
    /// Where `isExact` is not so, the column behind the others is 1 for rows that the query has and 0 for those in doubt.
    package let query: CompiledQuery
    /// Whether the rows are those of the query; else some of them are to be left out in memory.
    package let isExact: Bool
    /// Whether the rows come in the query's order.
    package let isSorted: Bool
    /// The same rows in the query's order up to the end of its window: if no row is in doubt, they are the answer.
    ///
    /// Nil where the query is exact, where memory sorts, and where nothing is decided.
    package let flagged: CompiledQuery?
    /// Whether limit and offset are heeded.
    package var isWindowed: Bool { isExact && isSorted }
}

/// A question for the number of a query's rows.
package struct PushedCount: Sendable {
    package let query: CompiledQuery
    /// Whether the answer is the number; else its first column is that of the rows before the window is cut, the second
    /// that of the rows in doubt.
    package let isExact: Bool
}

extension QueryCompiler {
    /// The rows of a query with the named columns of the entity's table, for a database without the functions of this framework.
    ///
    /// What it cannot decide exactly is left to memory: it may return rows that do not match the condition, or rows in the order of
    /// their keys instead of the query's.
    ///
    /// - Throws: what `select(_:columns:)` throws: it accepts the same queries.
    package func pushed(_ query: FetchQuery, columns: [String], _ types: ColumnTypes) throws -> PushedQuery {
        var translator = try translator(for: query)
        let condition = try condition(of: query, &translator)
        let window = window(of: query)
        // A server gives rows in any order; those of the other stores come in that of their keys.
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

    /// How many rows a query selects; nil where the database decides nothing of that.
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

    /// The values that a query asks for; nil where the database cannot give them exactly.
    ///
    /// - Throws: what `values(_:)` throws.
    package func pushedValues(_ query: ValueQuery, _ types: ColumnTypes) throws -> CompiledValues? {
        let (select, shapes) = try valuesSelect(query)
        return try Pushdown(types, select.source).select(select).map {
            CompiledValues(query: try rendered($0), shapes: shapes)
        }
    }
}

extension Pushdown {
    /// Orders as the database has them; nil where one of them is not certain to be memory's.
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

    /// Whether groups and distinct rows are of columns alone: what has parameters is not the same to the server in two places.
    private func isGroupable(_ select: SQLSelect, _ results: [SQLExpression]) -> Bool {
        func isColumn(_ expression: SQLExpression) -> Bool { if case .column = expression { true } else { false } }
        guard select.isDistinct || !select.grouping.isEmpty else { return true }
        let orders = select.orderings.map(\.value)
        return select.grouping.allSatisfy(isColumn) && results.allSatisfy(isColumn) && orders.allSatisfy(isColumn)
            && (!select.isDistinct || orders.allSatisfy { results.contains($0) })
    }

    /// A query for values whose every part the database has exactly; nil for any other.
    func select(_ select: SQLSelect) -> SQLSelect? {
        guard case .values(let values) = select.result else { return nil }
        let (condition, groups) = (condition(select.condition), condition(select.groupCondition))
        let (results, keys) = (values.compactMap { value($0) }, select.grouping.compactMap { value($0) })
        guard condition.isExact, groups.isExact, results.count == values.count, keys.count == select.grouping.count,
            // In memory what was calculated is an integer or a real, here it is a number of any digits.
            !results.contains(where: { $0.kind == .mixed || !$0.isCertain }), keys.allSatisfy(\.isCertain),
            isGroupable(select, results.map(\.expression)),
            let orderings = orderings(select.orderings)
        else { return nil }
        var pushed = SQLSelect(
            result: .values(results.map(\.expression)), source: select.source, condition: served(condition.upper))
        pushed.isDistinct = select.isDistinct
        pushed.grouping = keys.map(\.expression)
        pushed.groupCondition = groups.upper
        // What distinct rows and groups are sorted by must be among their values.
        let mayBeServed = select.window?.limit != nil && !select.isDistinct && select.grouping.isEmpty
        pushed.orderings = mayBeServed ? served(orderings) : orderings
        pushed.window = select.window
        return pushed
    }
}
