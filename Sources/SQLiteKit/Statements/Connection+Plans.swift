extension Connection {
    /// The plan of a query; its parameters need no values. Nothing is executed, and no log, trace or count has it.
    package func plan(of sql: String) throws(SQLiteError) -> QueryPlan {
        try QueryPlan(of: sql, on: open(for: "plan"))
    }
}
