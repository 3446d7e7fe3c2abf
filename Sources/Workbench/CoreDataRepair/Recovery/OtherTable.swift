import CoreData
import SQLiteKit

/// A table of a damaged store that does not belong to Core Data, such as one of the program's own.
///
/// Recovery copies the values of its rows. It recreates the table with the names and types of the columns only, because
/// checks, defaults and generated columns may call functions, and the damaged file may be of untrusted origin.
struct OtherTable {
    let name: String
    let columns: [Catalog.Column]
    /// The index of the column that is an alias of the rowid (`INTEGER PRIMARY KEY`); nil without such a column.
    let rowNumber: Int?

    /// Nil for tables of Core Data, of this library and of SQLite, for virtual tables, and for tables with generated
    /// columns, whose rows do not store a value for each column.
    init?(_ table: Catalog.Table) {
        let upper = table.name.uppercased()
        let isOwn = ["Z_", "OPENCOREDATA", "SQLITE_"].contains { upper.hasPrefix($0) }
        // Core Data's other tables have the column `Z_PK`. A program's own table with such a column is not copied.
        let hasKeys = table.columns.contains { $0.name.uppercased() == "Z_PK" }
        guard !isOwn, !hasKeys, !table.isVirtual, 1..<1_000 ~= table.columns.count,
            !table.columns.contains(where: \.isGenerated)
        else { return nil }
        name = table.name
        columns = table.columns
        rowNumber = table.rowNumberColumn.flatMap { name in table.columns.firstIndex { $0.name == name } }
    }

    var creation: String {
        let parts = columns.enumerated().map { number, column in
            SQLIdentifier.quoted(column.name)
                + (number == rowNumber ? " INTEGER PRIMARY KEY" : Self.type(column.declaredType))
        }
        return "CREATE TABLE \(SQLIdentifier.quoted(name)) (\(parts.joined(separator: ", ")))"
    }

    /// The declared type with a space before it; empty for a declaration that is more than words and numbers in
    /// parentheses.
    private static func type(_ declared: String) -> String {
        let text = declared.filter { $0.isASCII && ($0.isLetter || $0.isNumber || " (),".contains($0)) }
        guard text.wholeMatch(of: /[A-Za-z][A-Za-z0-9 ]*(\([0-9, ]*\))?/) != nil else { return "" }
        // A keyword that begins a constraint would end the type and add the constraint to the new table.
        let words = text.uppercased().split { !$0.isLetter }
        let reserved: Set<Substring> = [
            "AS", "CHECK", "COLLATE", "CONSTRAINT", "DEFAULT", "GENERATED", "NOT", "NULL", "PRIMARY", "REFERENCES",
            "UNIQUE",
        ]
        return words.contains(where: reserved.contains) ? "" : " \(text)"
    }

    /// The row's values, one for each column, NULL for missing ones; nil if the row has more values than the table
    /// columns.
    func values(of row: SalvagedRow) -> [Value]? {
        guard row.values.count <= columns.count else { return nil }
        return columns.indices.map { place in
            if place == rowNumber { return .integer(row.key) }
            return row.values.indices.contains(place) ? row.values[place] ?? .null : .null
        }
    }
}
