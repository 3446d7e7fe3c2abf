import CoreDataSQL
import SQLiteKit

/// The columns of an entity that may name files beside the store.
struct LargeValueColumns {
    private let table: String
    private let columns: [String]

    /// Nil without such columns; with `within`, among those columns only.
    init?(_ mapping: EntityMapping, within wanted: Set<String>? = nil) {
        table = mapping.table
        columns = mapping.attributes.filter(\.allowsExternalStorage).map(\.column).filter { column in
            wanted.map { $0.contains(column) } ?? true
        }
        if columns.isEmpty { return nil }
    }

    /// A query for the values that name files, of the row whose key is bound.
    func query(_ connection: Connection) throws -> Statement {
        try connection.prepare(query(where: "Z_PK = ?"))
    }

    /// The text of a query for the values that name files, of the rows for which a condition holds.
    func query(where condition: String) -> String {
        // Loading complete values only to see that they are not names would cost their size: a name takes 38 bytes.
        let names = columns.map { column in
            let quoted = SQLIdentifier.quoted(column)
            return "CASE WHEN LENGTH(\(quoted)) = 38 THEN \(quoted) END"
        }
        return "SELECT \(names.joined(separator: ", ")) FROM \(SQLIdentifier.quoted(table)) WHERE \(condition)"
    }
}
