/// What the columns of a schema's tables hold.
package struct ColumnTypes: Sendable {
    private let types: [String: [String: ColumnType]]
    /// The columns of whose texts the database has an index without regard to case and marks, by their tables.
    private let folded: [String: Set<String>]
    /// The columns of whose values the database has indexes of beginnings, by their tables.
    private let beginnings: [String: [String: ColumnType]]

    /// - Parameter indexes: those of the schema's over expressions that the database has.
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

    /// What a column of a table holds; nil for one that the schema does not have.
    package func type(of column: String, in table: String) -> ColumnType? { types[table]?[column] }

    /// Whether an index has the folded keys of a column's texts.
    package func hasFoldedIndex(of column: String, in table: String) -> Bool { folded[table]?.contains(column) == true }

    /// What a column holds of which an index has the beginnings; nil for any other.
    package func indexedBeginning(of column: String, in table: String) -> ColumnType? { beginnings[table]?[column] }
}
