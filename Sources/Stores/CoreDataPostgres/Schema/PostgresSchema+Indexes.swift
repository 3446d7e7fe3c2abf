import CoreDataSQL

extension PostgresSchema {
    /// The most columns of an index on a stock server.
    private static let mostColumns = 32

    /// The indexes over expressions: those of folded texts, and those of texts or data of any length.
    var expressionIndexes: [IndexDefinition] { store.indexes.filter { $0.isFolded || hasLongColumns($0) } }

    private func hasLongColumns(_ index: IndexDefinition) -> Bool {
        index.elements.contains { longColumns[index.table]?[$0.column] != nil }
    }

    /// The statement that makes an index, or the constraint that it serves.
    ///
    /// Values that must be unique are looked at when a transaction ends, so that rows may have each other's meanwhile.
    func creation(_ index: IndexDefinition) -> String {
        let name = Self.indexName(index.name)
        guard !index.isUnique else {
            return "ALTER TABLE \(table(index.table)) ADD \(constraint(index))"
        }
        let keys =
            index.isFolded
            ? index.elements.map { "(\(FoldedKey.sql(of: SQLIdentifier.quoted($0.column))))" } : plainKeys(index)
        return "CREATE INDEX \(name) ON \(table(index.table)) (\(keys.joined(separator: ", ")))"
    }

    /// The statement that puts one over expressions in place of an index or a constraint that is over columns.
    func replacement(_ index: IndexDefinition) -> [String] {
        let name = Self.indexName(index.name)
        guard !index.isUnique else {
            return ["ALTER TABLE \(table(index.table)) DROP CONSTRAINT IF EXISTS \(name), ADD \(constraint(index))"]
        }
        return ["DROP INDEX IF EXISTS \(dialect.namespace)\(name)", creation(index)]
    }

    /// Queries sort nil first, which the index must do too to serve them. What no index can hold is left out with all behind it.
    private func plainKeys(_ index: IndexDefinition) -> [String] {
        var keys: [String] = []
        var beginnings = 0
        for element in index.elements.prefix(Self.mostColumns) {
            let column = SQLIdentifier.quoted(element.column)
            let type = longColumns[index.table]?[element.column]
            if type != nil { beginnings += 1 }
            guard beginnings <= IndexedBeginning.mostInOneIndex else { break }
            let key = type.map { "(\(IndexedBeginning.sql(of: column, $0)))" } ?? column
            keys.append(key + (element.isAscending == false ? " DESC NULLS LAST" : " ASC NULLS FIRST"))
        }
        return keys
    }

    /// A constraint of uniqueness. Only those that exclude equals are over expressions and can wait for the end of a transaction.
    private func constraint(_ index: IndexDefinition) -> String {
        let name = Self.indexName(index.name)
        let end = "DEFERRABLE INITIALLY DEFERRED"
        guard hasLongColumns(index) else {
            let columns = index.elements.map { SQLIdentifier.quoted($0.column) }.joined(separator: ", ")
            return "CONSTRAINT \(name) UNIQUE (\(columns)) \(end)"
        }
        var keys: [String] = []
        var long: [(sql: String, type: ColumnType)] = []
        for element in index.elements {
            let column = SQLIdentifier.quoted(element.column)
            guard let type = longColumns[index.table]?[element.column] else {
                keys.append(column)
                continue
            }
            long.append((column, type))
            if long.count <= IndexedBeginning.mostInOneIndex {
                keys.append("(\(IndexedBeginning.sql(of: column, type)))")
            }
        }
        keys.append("(\(IndexedBeginning.digest(of: long)))")
        return "CONSTRAINT \(name) EXCLUDE (\(keys.map { "\($0) WITH =" }.joined(separator: ", "))) \(end)"
    }

    /// The condition that two rows of a table have the same values in a column, as an index finds them.
    func sameValue(_ column: String, in table: String, first: String, second: String) -> String {
        let name = SQLIdentifier.quoted(column)
        let same = "\(first).\(name) = \(second).\(name)"
        guard let type = types.indexedBeginning(of: column, in: table) else { return same }
        let beginnings = [first, second].map { IndexedBeginning.sql(of: "\($0).\(name)", type) }
        return "\(beginnings.joined(separator: " = ")) AND \(same)"
    }
}
