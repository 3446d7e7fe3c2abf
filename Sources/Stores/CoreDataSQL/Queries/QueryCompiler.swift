import CoreDataStore

/// A query as text with the values to bind.
package struct CompiledQuery: Sendable, Equatable {
    package let sql: String
    /// The values of the placeholders, in their order.
    package let parameters: [SQLParameter]
    /// Whether the text asks a search index, which then has to be in step with the store.
    package var usesSearchIndex = false
    /// Whether only rows are looked at that a search index ranks highest: fewer results than wanted may not be all.
    package var isOfBestHits = false
}

/// Turns fetch queries into SQL for one store.
///
/// Agrees with evaluation in memory: nil is a value for `==`, `!=` and `IN`, false for every other operator; NOT has two
/// values. Arithmetic on decimals carries the digits of a double, and what is not a number is NULL.
package struct QueryCompiler {
    package let schema: StoreSchema
    package let model: ModelLayout
    /// The identifier of the store: object IDs of another never match.
    package let storeIdentifier: String
    /// Collations beside those of `SQLFunctionLibrary` that a sort descriptor may name.
    package let collations: Set<String>
    package let dialect: SQLDialect
    /// Tables of hierarchies in which rows bear numbers of no entity that has objects there.
    package let tablesWithUnknownEntities: Set<String>
    /// What the search index has that is at hand.
    package let search: SearchCatalog
    /// Whether a query in the order of a rank may look only at the rows that the index ranks highest.
    package var looksAtBestHits = true

    package init(
        schema: StoreSchema, model: ModelLayout, storeIdentifier: String, collations: Set<String> = [],
        dialect: SQLDialect = .sqlite, tablesWithUnknownEntities: Set<String> = [],
        search: SearchCatalog = SearchCatalog()
    ) {
        self.schema = schema
        self.model = model
        self.storeIdentifier = storeIdentifier
        self.collations = collations
        self.dialect = dialect
        self.tablesWithUnknownEntities = tablesWithUnknownEntities
        self.search = search
    }

    /// The rows of a query in its order, with the named columns of the entity's table, whose alias is `t0`.
    ///
    /// - Throws: `QueryError` for an expression without SQL, `ExpressionError` for one that cannot be evaluated in memory either.
    package func select(_ query: FetchQuery, columns: [String]) throws -> CompiledQuery {
        var translator = try translator(for: query)
        let condition = try condition(of: query, &translator)
        let window = window(of: query)
        let orderings = try translator.orderings(query.sortDescriptors, isTotal: window != nil)
        let searches = looksAtBestHits ? try translator.rankedSearches(query.sortDescriptors) : []
        let select = SQLSelect(
            result: .columns(columns.map { SQLColumn(0, $0) }), source: translator.sources[0], condition: condition,
            orderings: orderings, window: window)
        guard let best = select.amongBest(of: searches) else { return try rendered(select.leadBySearch()) }
        var compiled = try rendered(best)
        compiled.isOfBestHits = true
        return compiled
    }

    /// How many rows a query selects, its limit and offset included.
    ///
    /// - Throws: `QueryError` for an expression without SQL, `ExpressionError` for one that cannot be evaluated in memory either.
    package func count(_ query: FetchQuery) throws -> CompiledQuery {
        var translator = try translator(for: query)
        let condition = try condition(of: query, &translator)
        let window = window(of: query)
        return try renderedCount(
            SQLSelect(result: .one, source: translator.sources[0], condition: condition, window: window))
    }

    /// The number of the rows of a query.
    func renderedCount(_ select: SQLSelect) throws -> CompiledQuery {
        guard select.window != nil else {
            return try rendered(SQLSelect(result: .count, source: select.source, condition: select.condition))
        }
        var renderer = SQLRenderer(dialect)
        renderer.append("SELECT COUNT(*) FROM (")
        try renderer.append(select)
        renderer.append(") w")
        return CompiledQuery(
            sql: renderer.sql, parameters: renderer.parameters, usesSearchIndex: renderer.usesSearchIndex)
    }

    func translator(for query: FetchQuery) throws -> QueryTranslator {
        let name = query.binding.layout.entity.name ?? ""
        guard let entity = schema.entity(named: name) else {
            let near = NameSuggestion(for: name, in: schema.entities.map(\.name))
            throw QueryError(.unknownEntity, entity: name, "the store does not keep this entity", suggestion: near)
        }
        return QueryTranslator(self, entity: entity)
    }

    /// The condition that singles out a query's rows, those of other entities in its table left out.
    func condition(of query: FetchQuery, _ translator: inout QueryTranslator) throws -> SQLExpression {
        let entity = translator.entityCondition(includesSubentities: query.includesSubentities)
        guard let predicate = query.predicate else { return entity }
        try QueryLimits.check(predicate)
        let condition = SQLExpression.conjunction([entity, try translator.condition(predicate)])
        return condition.boxed(by: translator.coordinates)
    }

    /// Limit and offset of a query.
    func window(of query: FetchQuery) -> SQLSelect.Window? {
        window(limit: query.limit, offset: query.offset)
    }

    /// Limit and offset; zero and less mean none.
    func window(limit: Int, offset: Int) -> SQLSelect.Window? {
        guard limit > 0 || offset > 0 else { return nil }
        return .init(limit: limit > 0 ? Int64(limit) : nil, offset: Int64(max(0, offset)))
    }

    func rendered(_ select: SQLSelect) throws -> CompiledQuery {
        var renderer = SQLRenderer(dialect)
        try renderer.append(select)
        return CompiledQuery(
            sql: renderer.sql, parameters: renderer.parameters, usesSearchIndex: renderer.usesSearchIndex)
    }
}

extension QueryTranslator {
    /// A translator of queries on an entity, with the compiler's knowledge of the store.
    init(_ compiler: QueryCompiler, entity: EntityMapping) {
        self.init(
            schema: compiler.schema, model: compiler.model, storeIdentifier: compiler.storeIdentifier,
            collations: compiler.collations, tablesWithUnknownEntities: compiler.tablesWithUnknownEntities,
            search: compiler.search, entity: entity, decimals: compiler.dialect.keepsDecimals ? .exact : .decimal)
    }
}
