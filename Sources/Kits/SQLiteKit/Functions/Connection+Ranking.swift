import CSQLite

extension Connection {
    /// Registers an FTS5 auxiliary function that ranks the rows of tables with one column.
    ///
    /// `rank` is called with the number of occurrences of each query phrase in the row, the number of phrases, and the
    /// number of words in the row.
    package func registerRanking(
        _ name: String, _ rank: @escaping @convention(c) (UnsafePointer<Int64>?, Int32, Int64) -> Int64
    ) throws(SQLiteError) {
        let handle = try open(for: "register ranking \(name)")
        try check(csqlite_register_rank(handle, name, rank), "register ranking \(name)")
    }
}
