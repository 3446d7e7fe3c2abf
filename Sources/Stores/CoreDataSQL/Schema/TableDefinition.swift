/// A table of the store, as it is created.
package struct TableDefinition: Sendable, Equatable {
    package struct Column: Sendable, Equatable {
        package var name: String
        package let type: ColumnType
        /// Whether the column is `Z_PK`.
        package let isPrimaryKey: Bool

        init(_ name: String, _ type: ColumnType, isPrimaryKey: Bool = false) {
            self.name = name
            self.type = type
            self.isPrimaryKey = isPrimaryKey
        }
    }

    package var name: String
    package var columns: [Column]
    /// The columns of a join table's primary key; empty for an entity's table.
    package var keyColumns: [String] = []

    /// The statement that creates the table, with the same whitespace as in Apple's stores.
    package var sql: String {
        var parts = columns.map { column in
            "\(SQLIdentifier.quoted(column.name)) \(column.type.rawValue)" + (column.isPrimaryKey ? " PRIMARY KEY" : "")
        }
        if !keyColumns.isEmpty {
            parts.append("PRIMARY KEY (" + keyColumns.map(SQLIdentifier.quoted).joined(separator: ", ") + ")")
        }
        return "CREATE TABLE \(SQLIdentifier.quoted(name)) ( \(parts.joined(separator: ", ")) )"
    }
}
