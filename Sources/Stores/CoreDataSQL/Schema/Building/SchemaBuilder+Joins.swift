import CoreDataStore

extension SchemaBuilder {
    /// Adds the tables of the many-to-many relationships whose lower-numbered end the entity declares.
    mutating func addJoinTables(numberedBy entity: NSEntityDescription) {
        for relationship in entity.storedRelationships where joins[ObjectIdentifier(relationship)] == nil {
            guard let pair = pair(of: relationship), isNamesake(relationship, of: pair) else { continue }
            addJoinTable(pair)
        }
    }

    /// The two ends of a many-to-many relationship, as seen from one of them.
    private struct Pair {
        let relationship: NSRelationshipDescription
        let inverse: NSRelationshipDescription
        /// The numbers of the entities that declare the two ends.
        let own: Int
        let other: Int
        var isReflexive: Bool { relationship === inverse }
        /// Whether the inverse's inverse is this relationship; only then do both share one table.
        var isMutual: Bool { relationship.mutualInverse != nil }
    }

    private func pair(of relationship: NSRelationshipDescription) -> Pair? {
        guard relationship.isToMany, let inverse = relationship.inverseRelationship, inverse.isToMany,
            let own = numbering.number(of: relationship.entity), let other = numbering.number(of: inverse.entity)
        else { return nil }
        return Pair(relationship: relationship, inverse: inverse, own: own, other: other)
    }

    /// Whether the table is named after this end: the end whose entity has the lower number.
    ///
    /// If one entity declares both ends, Apple's choice follows no visible rule, so either is valid: an ordered end is
    /// preferred, then the name that comes first in byte order.
    private func isNamesake(_ relationship: NSRelationshipDescription, of pair: Pair) -> Bool {
        guard pair.isMutual else { return true }
        guard pair.own == pair.other, !pair.isReflexive else { return pair.own <= pair.other }
        guard relationship.isOrdered == pair.inverse.isOrdered else { return relationship.isOrdered }
        return Self.precedes(relationship.name, pair.inverse.name)
    }

    private mutating func addJoinTable(_ pair: Pair) {
        let (name, inverseName) = (Self.upper(pair.relationship.name), Self.upper(pair.inverse.name))
        let table = tableNames.take("Z_\(pair.own)\(name)")
        // A relationship that is its own inverse has only one name for two columns; the first column is named
        // REFLEXIVE.
        let own = pair.isReflexive ? reflexiveColumn : joinColumn(pair.own, inverseName)
        let other = joinColumn(pair.other, name)
        let order = pair.relationship.isOrdered ? Self.orderColumn(of: other) : nil
        let inverseOrder = pair.inverse.isOrdered && !pair.isReflexive ? Self.orderColumn(of: own) : nil

        var columns = [own, other].map { TableDefinition.Column($0.name, .integer) }
        columns += [order, inverseOrder].compactMap { $0 }.map { TableDefinition.Column($0.name, .integer) }
        tables.append(TableDefinition(name: table, columns: columns, keyColumns: [own.name, other.name]))

        joinTables.append(
            JoinTable(
                relationship: "\(pair.relationship.entity?.name ?? "").\(pair.relationship.name)", table: table,
                otherNames: ["Z_\(pair.own)\(inverseName)", "Z_\(pair.other)\(inverseName)", "Z_\(pair.other)\(name)"],
                ownColumn: own, otherColumn: other, orderColumn: order, inverseOrderColumn: inverseOrder))
        let join = ToManyMapping.Join(
            table: table, ownColumn: own.name, otherColumn: other.name, orderColumn: order?.name,
            inverseOrderColumn: inverseOrder?.name, isReflexive: pair.isReflexive)
        namesakes.insert(ObjectIdentifier(pair.relationship))
        if pair.isMutual { joins[ObjectIdentifier(pair.inverse)] = join.reversed }
        joins[ObjectIdentifier(pair.relationship)] = join
    }

    private var reflexiveColumn: JoinTable.Column { .init(name: "REFLEXIVE", plainName: "REFLEXIVE") }

    /// Returns a column name that is unique among the join columns of all tables with this entity number.
    private mutating func joinColumn(_ number: Int, _ name: String) -> JoinTable.Column {
        let plain = "Z_\(number)\(name)"
        return .init(name: joinColumnNames[number, default: NameAllocator()].take(plain), plainName: plain)
    }

    private static func orderColumn(of column: JoinTable.Column) -> JoinTable.Column {
        .init(name: "Z_FOK_\(column.name.dropFirst(2))", plainName: "Z_FOK_\(column.plainName.dropFirst(2))")
    }
}

extension ToManyMapping.Join {
    /// The same join as seen from the inverse.
    var reversed: Self {
        .init(
            table: table, ownColumn: otherColumn, otherColumn: ownColumn, orderColumn: inverseOrderColumn,
            inverseOrderColumn: orderColumn, isReflexive: isReflexive)
    }
}
