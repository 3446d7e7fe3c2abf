extension Connection {
    /// The plan of a query. Nothing is executed, and no log, trace or count has it.
    ///
    /// Its parameters need no values; with them the plan has partial indexes, which SQLite asks for some values alone.
    package func plan(of sql: String, binding values: [Value] = []) throws(SQLiteError) -> QueryPlan {
        try QueryPlan(of: sql, binding: values, on: open(for: "plan"))
    }
}
