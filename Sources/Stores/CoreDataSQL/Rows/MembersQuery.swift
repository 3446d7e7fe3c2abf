import CoreDataStore

/// Makes the queries for the members of to-many relationships.
///
/// The members of an owner are sorted by position, and by key where positions are missing or equal, so that the order is
/// always the same. Members that refer to their owner by a column are sorted by that column first: its index gives this order.
package struct MembersQuery {
    private let toMany: ToManyMapping
    private let target: String
    private let owner: EntityMapping
    private let dialect: SQLDialect

    package init(
        _ toMany: ToManyMapping, destination: EntityMapping, owner: EntityMapping, dialect: SQLDialect
    ) {
        self.dialect = dialect
        self.toMany = toMany
        self.owner = owner
        target = dialect.table(destination.table)
    }

    /// Whether a record can be a member of one owner only, so that the query has each member once.
    package var hasDistinctMembers: Bool {
        if case .foreignKey = toMany.storage { true } else { false }
    }

    /// Returns the query for the columns `list` of the members' rows, with the condition `owners` on the owners' keys;
    /// if `withOwner`, the owner's key is added as the last column.
    package func text(_ list: String, of owners: String, withOwner: Bool = false) -> String {
        let quoted = SQLIdentifier.quoted
        switch toMany.storage {
        case .foreignKey(let key):
            let order = key.orderColumn.map { "t0.\(quoted($0))\(dialect.nullsFirst), " } ?? ""
            let columns = withOwner ? "\(list), t0.\(quoted(key.column))" : list
            return "SELECT \(columns) FROM \(dialect.table(key.table)) t0 WHERE t0.\(quoted(key.column)) \(owners)"
                + "\(sameOwner(key.entityColumn)) ORDER BY \(withOwner ? "t0.\(quoted(key.column)), " : "")\(order)t0.Z_PK"
        case .join(let join):
            let order = join.orderColumn.map { "j.\(quoted($0))\(dialect.nullsFirst), " } ?? ""
            let one = joined(
                list, table: join.table, own: join.ownColumn, other: join.otherColumn, owners: owners,
                withOwner: withOwner)
            guard join.isReflexive else { return "\(one) ORDER BY \(order)t0.Z_PK" }
            let other = joined(
                list, table: join.table, own: join.otherColumn, other: join.ownColumn, owners: owners,
                withOwner: withOwner)
            return "\(one) UNION \(other) ORDER BY 1"
        }
    }

    /// Restricts the key column to owners of the right entities, if owners of other entities share the column.
    private func sameOwner(_ entityColumn: String?) -> String {
        guard let column = entityColumn.map(SQLIdentifier.quoted) else { return "" }
        let numbers = owner.familyNumbers.map(String.init).joined(separator: ", ")
        return " AND (t0.\(column) IN (\(numbers)) OR t0.\(column) IS NULL)"
    }

    private func joined(
        _ list: String, table: String, own: String, other: String, owners: String, withOwner: Bool
    ) -> String {
        let quoted = SQLIdentifier.quoted
        let columns = withOwner ? "\(list), j.\(quoted(own))" : list
        return "SELECT \(columns) FROM \(dialect.table(table)) j JOIN \(target) t0 ON t0.Z_PK = j.\(quoted(other)) "
            + "WHERE j.\(quoted(own)) \(owners)"
    }
}
