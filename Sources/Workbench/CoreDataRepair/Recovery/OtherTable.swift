import CoreData
import SQLiteKit

/// A table of a damaged store that does not belong to Core Data, such as one of the program's own.
///
/// Its rows are copied as values. The table is recreated from names and types only: what else its text says, such as checks,
/// defaults and generated columns, may call functions, and is not carried over from a file of untrusted origin.
struct OtherTable {
    let name: String
    let columns: [Catalog.Column]
    /// The place of the column that is another name of the row's number.
    let rowNumber: Int?

    /// Nil for tables of Core Data, of this library and of SQLite, and for those whose rows have not a value for each column.
    init?(_ table: Catalog.Table) {
        let upper = table.name.uppercased()
        let isOwn = ["Z_", "OPENCOREDATA", "SQLITE_"].contains { upper.hasPrefix($0) }
        // All others of Core Data's have keys.
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

    /// Letters, digits and what stands in parentheses; nothing that could say more than a type.
    private static func type(_ declared: String) -> String {
        let text = declared.filter { $0.isASCII && ($0.isLetter || $0.isNumber || " (),".contains($0)) }
        guard text.wholeMatch(of: /[A-Za-z][A-Za-z0-9 ]*(\([0-9, ]*\))?/) != nil else { return "" }
        // The words of constraints would end the type.
        let words = text.uppercased().split { !$0.isLetter }
        let reserved: Set<Substring> = [
            "AS", "CHECK", "COLLATE", "CONSTRAINT", "DEFAULT", "GENERATED", "NOT", "NULL", "PRIMARY", "REFERENCES",
            "UNIQUE",
        ]
        return words.contains(where: reserved.contains) ? "" : " \(text)"
    }

    /// The values of a row; nil for one that has more of them than the table.
    func values(of row: SalvagedRow) -> [Value]? {
        guard row.values.count <= columns.count else { return nil }
        return columns.indices.map { place in
            if place == rowNumber { return .integer(row.key) }
            return row.values.indices.contains(place) ? row.values[place] ?? .null : .null
        }
    }
}
