import CoreData

/// Compares the tables and columns of the file with those of the model's schema.
struct SchemaCheck {
    let store: CheckedStore

    var faults: [StoreFault] { store.differences.filter { !$0.isHarmless }.map(fault) }

    /// Sentences about harmless differences: further tables and columns, and names from before a renaming.
    var remarks: [String] { store.differences.filter(\.isHarmless).map(\.sentence) }

    private func fault(_ difference: SchemaDifference) -> StoreFault {
        let sentence = PrintableText.escaped(difference.sentence, limit: 400)
        switch difference {
        case .missingTable(let name, _):
            guard let table = store.schema.tables.first(where: { $0.name == name }) else { break }
            let statements = [table.sql] + store.schema.indexes.filter { $0.table == name }.map(\.sql)
            return StoreFault(
                finding: StoreFinding(.schemaMismatch, sentence, remedy: "The table is made, without rows."),
                statements: statements.map { ($0, []) })
        case .missingColumn(let name, let tableName, _):
            guard
                let table = store.schema.tables.first(where: { $0.name.uppercased() == tableName.uppercased() }),
                let column = table.columns.first(where: { $0.name == name }), !column.isPrimaryKey
            else { break }
            let text =
                "ALTER TABLE \(SQLIdentifier.quoted(tableName)) ADD COLUMN \(SQLIdentifier.quoted(name)) "
                + column.type.rawValue
            return StoreFault(
                finding: StoreFinding(.schemaMismatch, sentence, remedy: "The column is added, without values."),
                statements: [(text, [])])
        case .unrecordedEntity:
            return StoreFault(finding: StoreFinding(.schemaMismatch, sentence, remedy: "It is recorded."))
        default: break
        }
        return StoreFault(finding: StoreFinding(.schemaMismatch, sentence))
    }
}
