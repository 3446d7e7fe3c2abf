extension Connection {
    /// The plan of a query, which is not executed; logs, traces and counters do not include it.
    ///
    /// Parameters need no values. With values the plan can use partial indexes, for which SQLite checks some values.
    package func plan(of sql: String, binding values: [Value] = []) throws(SQLiteError) -> QueryPlan {
        try QueryPlan(of: sql, binding: values, on: open(for: "plan"))
    }
}
