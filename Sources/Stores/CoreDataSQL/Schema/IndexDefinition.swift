/// An index of the store, as it is created.
package struct IndexDefinition: Sendable, Equatable {
    package struct Element: Sendable, Equatable {
        package var column: String
        /// Nil in an index of foreign keys or `Z_ENT`, whose SQL states neither collation nor direction.
        package let isAscending: Bool?

        package init(column: String, isAscending: Bool?) {
            self.column = column
            self.isAscending = isAscending
        }
    }

    package let name: String
    package var table: String
    package let isUnique: Bool
    package var elements: [Element]
    /// Whether it is a folded text index, over the folded keys of its only column.
    package let isFolded: Bool
    /// The condition of a partial index; nil for all rows. In PostgreSQL the index covers all rows anyway.
    package var condition: IndexCondition?

    package init(
        name: String, table: String, isUnique: Bool, elements: [Element], isFolded: Bool = false,
        condition: IndexCondition? = nil
    ) {
        self.name = name
        self.table = table
        self.isUnique = isUnique
        self.elements = elements
        self.isFolded = isFolded
        self.condition = condition
    }

    /// The statement that creates the index, as in Apple's stores.
    package var sql: String {
        let parts = elements.map { element in
            let column = SQLIdentifier.quoted(element.column)
            guard let isAscending = element.isAscending else { return column }
            return "\(column) COLLATE BINARY \(isAscending ? "ASC" : "DESC")"
        }
        let start = isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
        let place = "\(SQLIdentifier.quoted(name)) ON \(SQLIdentifier.quoted(table))"
        let end = condition.map { " WHERE \($0.sql)" } ?? ""
        return "\(start) \(place) (\(parts.joined(separator: ", ")))\(end)"
    }
}
