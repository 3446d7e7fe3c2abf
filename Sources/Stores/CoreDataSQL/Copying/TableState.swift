/// A sum over the rows of a table that shows whether a store has changed: every save gives a changed row another
/// version.
///
/// SQLite and PostgreSQL compute the same sum. It does not change when another program writes to the tables without
/// changing keys or versions.
package enum TableState {
    /// The columns that the sum includes: key and version of an object, or both keys of a pair.
    package static func columns(of table: CopiedTable) -> [Int] {
        table.keys + (table.version.map { [$0] } ?? [])
    }

    /// Returns the query for the number of rows and the sum.
    package static func query(_ columns: [String], in table: String) -> String {
        let factors = [2053, 7919, 104_729]
        // Uses only the low 20 bits of each value, so that the sum fits in 64 bits.
        let terms = zip(columns, factors).map { "(coalesce(\($0), 0) & 1048575) * \($1)" }
        return "SELECT count(*), coalesce(sum(\(terms.joined(separator: " + "))), 0) FROM \(table)"
    }
}
