import CoreData

/// Rules about the uniqueness constraints of the model.
///
/// A constraint whose unique index exists in the file has no rule here: `IntegrityCheck` finds its duplicates.
struct UniquenessRules {
    let store: CheckedStore

    func rules(of table: String) -> [RowRule] {
        store.schema.indexes.filter { $0.isUnique && $0.table == table && !store.raw.has($0) }.compactMap(rule)
    }

    private func rule(_ index: IndexDefinition) -> RowRule? {
        let columns = index.elements.map(\.column)
        guard columns.allSatisfy({ store.has(index.table, $0) }) else { return nil }
        let quoted = columns.map(SQLIdentifier.quoted)
        let set = quoted.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        return RowRule(
            kind: .duplicateValues, table: index.table, property: names(of: columns, in: index.table),
            condition: "t.rowid IN (SELECT id FROM (SELECT rowid id, row_number() OVER (PARTITION BY "
                + "\(quoted.joined(separator: ", ")) ORDER BY rowid) n FROM \(SQLIdentifier.quoted(index.table)) "
                + "WHERE \(set)) WHERE n > 1)",
            sentence:
                "Another object of the table \(index.table) has the same value, which the model requires to be unique.")
    }

    private func names(of columns: [String], in table: String) -> String {
        let all = store.entities(in: table)
        return columns.map { column in
            all.lazy.flatMap(\.attributes).first { $0.column == column }?.name
                ?? all.lazy.flatMap(\.toOnes).first { $0.column == column }?.name ?? column
        }.joined(separator: ", ")
    }
}
