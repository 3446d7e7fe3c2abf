/// A sum over the rows of a table by which it is noticed that a store has changed: every save gives a row another version.
///
/// The same in SQLite and in PostgreSQL. What is written to the tables without Core Data, and leaves keys and versions alone, is
/// not noticed.
package enum TableState {
    /// The columns that the sum is of: key and version of an object, both keys of a pair.
    package static func columns(of table: CopiedTable) -> [Int] {
        table.keys + (table.version.map { [$0] } ?? [])
    }

    /// The statement, which gives the number of rows and the sum.
    package static func query(_ columns: [String], in table: String) -> String {
        let factors = [2053, 7919, 104_729]
        // Cut, so that no sum of them is too great for 64 bits.
        let terms = zip(columns, factors).map { "(coalesce(\($0), 0) & 1048575) * \($1)" }
        return "SELECT count(*), coalesce(sum(\(terms.joined(separator: " + "))), 0) FROM \(table)"
    }
}
