/// What the columns of a schema's tables hold.
package struct ColumnTypes: Sendable {
    private let types: [String: [String: ColumnType]]

    package init(_ schema: StoreSchema) {
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
}
