/// The types of the columns of a schema's tables, and which columns have indexes over expressions.
package struct ColumnTypes: Sendable {
    private let types: [String: [String: ColumnType]]
    /// By table: the columns of text with a folded text index in the database.
    private let folded: [String: Set<String>]
    /// By table: the columns with an index of beginnings in the database, and their types.
    private let beginnings: [String: [String: ColumnType]]

    /// - Parameter indexes: the schema's indexes over expressions that exist in the database.
    package init(_ schema: StoreSchema, indexes: [IndexDefinition] = []) {
        func columns(_ indexes: [IndexDefinition]) -> [String: Set<String>] {
            Dictionary(grouping: indexes, by: \.table).mapValues { Set($0.flatMap(\.elements).map(\.column)) }
        }
        folded = columns(indexes.filter(\.isFolded))
        let indexed = columns(indexes.filter { !$0.isFolded })
        beginnings = Dictionary(
            uniqueKeysWithValues: schema.longColumns.map { table, types in
                (table, types.filter { indexed[table]?.contains($0.key) == true })
            })
        types = Dictionary(
            schema.tables.map { table in
                (
                    table.name,
                    Dictionary(table.columns.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the type of a column of a table; nil if the schema has no such column.
    package func type(of column: String, in table: String) -> ColumnType? { types[table]?[column] }

    /// Whether the column has a folded text index.
    package func hasFoldedIndex(of column: String, in table: String) -> Bool { folded[table]?.contains(column) == true }

    /// Returns the type of a column with an index of beginnings; nil for any other column.
    package func indexedBeginning(of column: String, in table: String) -> ColumnType? { beginnings[table]?[column] }
}
