import CoreDataStore

extension QueryCompiler {
    /// Compiles a query for key, entity number and value at a key path of each row, in the query's order.
    ///
    /// - Throws: `QueryError` for an expression without SQL, `ExpressionError` for one that cannot be evaluated in
    ///   memory either.
    package func scan(_ query: FetchQuery, valueAt path: String) throws -> CompiledQuery {
        var translator = try translator(for: query)
        let condition = try condition(of: query, &translator)
        let value = try translator.value(of: translator.operand(NSExpression(forKeyPath: path))).value
        let window = window(limit: query.limit, offset: query.offset)
        let orderings = try translator.orderings(query.sortDescriptors, isTotal: window != nil)
        let columns: [SQLExpression] = [.column(SQLColumn(0, "Z_PK")), .column(SQLColumn(0, "Z_ENT")), value]
        // The value and the orderings may have added joins to the source.
        return try rendered(
            SQLSelect(
                result: .values(columns), source: translator.sources[0], condition: condition, orderings: orderings,
                window: window))
    }
}
