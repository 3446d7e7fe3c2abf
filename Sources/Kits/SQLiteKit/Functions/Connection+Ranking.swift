import CSQLite

extension Connection {
    /// Registers an auxiliary function of FTS5 that ranks the rows of tables with one column.
    ///
    /// It is handed how often each phrase of the question stands in the row, the number of phrases, and the number of words
    /// that the row has.
    package func registerRanking(
        _ name: String, _ rank: @escaping @convention(c) (UnsafePointer<Int64>?, Int32, Int64) -> Int64
    ) throws(SQLiteError) {
        let handle = try open(for: "register ranking \(name)")
        try check(csqlite_register_rank(handle, name, rank), "register ranking \(name)")
    }
}
