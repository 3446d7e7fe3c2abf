import CoreData

/// An index of a table in a store's file.
package struct StoreIndex {
    package let name: String
    package let table: String
    package let columns: [String]
    package let isUnique: Bool
}

extension StoreIndex {
    /// Reads an index from the statement that made it: `CREATE [UNIQUE] INDEX name ON table (columns) …`.
    package init(name: String, table: String, sql: String) {
        self.name = name
        self.table = table
        isUnique = sql.uppercased().hasPrefix("CREATE UNIQUE")
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
        self.columns = columns.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}

extension OpenStore {
    /// The indexes in the file, by table and name; empty for a store that has no tables.
    var indexes: [StoreIndex] {
        get throws {
            let items = try (store as? SQLiteStore)?.catalogDescription ?? []
            return items.filter { $0.kind == "index" }.sorted { ($0.table, $0.name) < ($1.table, $1.name) }
                .map { StoreIndex(name: $0.name, table: $0.table, sql: $0.sql) }
        }
    }
}
