import CoreDataSQL

extension PostgresSchema {
    /// The maximum number of columns of an index, as PostgreSQL is usually built.
    private static let mostColumns = 32

    /// The expression indexes: folded text indexes, and indexes of texts or data of any length.
    var expressionIndexes: [IndexDefinition] { store.indexes.filter { $0.isFolded || hasLongColumns($0) } }

    private func hasLongColumns(_ index: IndexDefinition) -> Bool {
        index.elements.contains { longColumns[index.table]?[$0.column] != nil }
    }

    /// Returns the statement that creates an index, or the uniqueness constraint that needs it.
    ///
    /// Constraints are deferred: they are checked when a transaction ends, so that rows can exchange unique values.
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

    /// Returns the statements that replace an index or constraint over columns with one over expressions.
    func replacement(_ index: IndexDefinition) -> [String] {
        let name = Self.indexName(index.name)
        guard !index.isUnique else {
            return ["ALTER TABLE \(table(index.table)) DROP CONSTRAINT IF EXISTS \(name), ADD \(constraint(index))"]
        }
        return ["DROP INDEX IF EXISTS \(dialect.namespace)\(name)", creation(index)]
    }

    /// Returns the keys of an index, with nil first as in queries, so that they can use it. From the first key that
    /// does not fit in an index, all keys are omitted.
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

    /// Returns a uniqueness constraint. Over expressions it is an exclusion constraint, as only these can be deferred.
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

    /// Returns the condition that two rows of a table have the same value in a column, in a form that uses the index.
    func sameValue(_ column: String, in table: String, first: String, second: String) -> String {
        let name = SQLIdentifier.quoted(column)
        let same = "\(first).\(name) = \(second).\(name)"
        guard let type = types.indexedBeginning(of: column, in: table) else { return same }
        let beginnings = [first, second].map { IndexedBeginning.sql(of: "\($0).\(name)", type) }
        return "\(beginnings.joined(separator: " = ")) AND \(same)"
    }
}
