/// What the columns of a schema's tables hold.
package struct ColumnTypes: Sendable {
    private let types: [String: [String: ColumnType]]
    /// The columns of whose texts the database has an index without regard to case and marks, by their tables.
    private let folded: [String: Set<String>]

    /// - Parameter foldedIndexes: those of the schema's that the database has.
    package init(_ schema: StoreSchema, foldedIndexes: [IndexDefinition] = []) {
        folded = Dictionary(grouping: foldedIndexes, by: \.table).mapValues {
            Set($0.flatMap(\.elements).map(\.column))
        }
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
}
