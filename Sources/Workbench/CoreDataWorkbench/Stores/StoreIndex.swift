import CoreData

/// An index of a table in a store's file, described by its statement: `CREATE [UNIQUE] INDEX name ON table (columns)
/// …`.
package struct StoreIndex {
    package let name: String
    package let table: String
    package let sql: String

    package init(name: String, table: String, sql: String) {
        self.name = name
        self.table = table
        self.sql = sql
    }

    package var isUnique: Bool { sql.uppercased().hasPrefix("CREATE UNIQUE") }

    package var columns: [String] {
        let start = sql.firstIndex(of: "(").map { sql.index(after: $0) } ?? sql.endIndex
        var depth = 0
        var columns = [""]
        for character in sql[start...] {
            if character == ")", depth == 0 { break }
            if character == "," && depth == 0 {
                columns.append("")
                continue
            }
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            columns[columns.count - 1].append(character)
        }
        return columns.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
