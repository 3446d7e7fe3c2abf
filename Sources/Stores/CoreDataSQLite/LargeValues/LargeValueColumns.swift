import CoreDataSQL
import SQLiteKit

/// The columns of an entity whose values may name files beside the store.
struct LargeValueColumns {
    private let table: String
    private let columns: [String]

    /// Returns nil if there are no such columns; with `within`, only these columns are considered.
    init?(_ mapping: EntityMapping, within wanted: Set<String>? = nil) {
        table = mapping.table
        columns = mapping.attributes.filter(\.allowsExternalStorage).map(\.column).filter { column in
            wanted.map { $0.contains(column) } ?? true
        }
        if columns.isEmpty { return nil }
    }

    /// Prepares a query for the values that name files, in the row whose key is bound.
    func query(_ connection: Connection) throws -> Statement {
        try connection.prepare(query(where: "Z_PK = ?"))
    }

    /// Returns a query for the values that name files, in the rows that satisfy a condition.
    func query(where condition: String) -> String {
        // A value that names a file has 38 bytes; other values are not loaded, as they may be large.
        let names = columns.map { column in
            let quoted = SQLIdentifier.quoted(column)
            return "CASE WHEN LENGTH(\(quoted)) = 38 THEN \(quoted) END"
        }
        return "SELECT \(names.joined(separator: ", ")) FROM \(SQLIdentifier.quoted(table)) WHERE \(condition)"
    }
}
