import CoreDataStore

/// A query as SQL text with the values to bind.
package struct CompiledQuery: Sendable, Equatable {
    package let sql: String
    /// The values of the placeholders, in the order of the placeholders.
    package let parameters: [SQLParameter]
    /// Whether the query uses a search index, which must then be up to date with the store.
    package var usesSearchIndex = false
    /// Whether the query only examines the rows that a search index ranks highest: if it returns fewer rows than
    /// requested, others may match.
    package var isOfBestHits = false
}

/// Compiles fetch queries to SQL for one store.
///
/// Results equal those of evaluation in memory: nil is a value for `==`, `!=` and `IN`, and makes every other operator
/// false; NOT never has a third result. Arithmetic on decimals has the digits of a double, and NaN is NULL.
package struct QueryCompiler {
    package let schema: StoreSchema
    package let model: ModelLayout
    /// The store's identifier: object IDs of other stores never match.
    package let storeIdentifier: String
    /// The names of collations that sort descriptors may use besides those of `SQLFunctionLibrary`.
    package let collations: Set<String>
    package let dialect: SQLDialect
    /// The tables of entity hierarchies with rows whose entity number is not that of a concrete entity there.
    package let tablesWithUnknownEntities: Set<String>
    /// The contents of the search index that is available.
    package let search: SearchCatalog
    /// Whether a query ordered by search rank may examine only the rows that the index ranks highest.
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

    /// Compiles a query for rows in its order, with the named columns of the entity's table, whose alias is `t0`.
    ///
    /// - Throws: `QueryError` for an expression without SQL, `ExpressionError` for one that cannot be evaluated in
    ///   memory either.
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

    /// Compiles the query for the number of rows, with limit and offset applied.
    ///
    /// - Throws: `QueryError` for an expression without SQL, `ExpressionError` for one that cannot be evaluated in
    ///   memory either.
    package func count(_ query: FetchQuery) throws -> CompiledQuery {
        var translator = try translator(for: query)
        let condition = try condition(of: query, &translator)
        let window = window(of: query)
        return try renderedCount(
            SQLSelect(result: .one, source: translator.sources[0], condition: condition, window: window))
    }

    /// Compiles the query for the number of rows that a select statement returns.
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

    /// Returns the condition that selects a query's rows and excludes those of other entities in the same table.
    func condition(of query: FetchQuery, _ translator: inout QueryTranslator) throws -> SQLExpression {
        let entity = translator.entityCondition(includesSubentities: query.includesSubentities)
        guard let predicate = query.predicate else { return entity }
        try QueryLimits.check(predicate)
        let condition = SQLExpression.conjunction([entity, try translator.condition(predicate)])
        return condition.boxed(by: translator.coordinates)
    }

    /// Returns limit and offset of a query; nil if it has neither.
    func window(of query: FetchQuery) -> SQLSelect.Window? {
        window(limit: query.limit, offset: query.offset)
    }

    /// Returns limit and offset, of which zero or less mean none; nil if there is neither.
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
    /// Creates a translator of queries on an entity of the compiler's store.
    init(_ compiler: QueryCompiler, entity: EntityMapping) {
        self.init(
            schema: compiler.schema, model: compiler.model, storeIdentifier: compiler.storeIdentifier,
            collations: compiler.collations, tablesWithUnknownEntities: compiler.tablesWithUnknownEntities,
            search: compiler.search, entity: entity, decimals: compiler.dialect.keepsDecimals ? .exact : .decimal)
    }
}
