import CoreDataStore

extension SchemaBuilder {
    /// Adds the tables of the many-to-many relationships whose lower-numbered end the entity declares.
    mutating func addJoinTables(numberedBy entity: NSEntityDescription) {
        for relationship in entity.storedRelationships where joins[ObjectIdentifier(relationship)] == nil {
            guard let pair = pair(of: relationship), isNamesake(relationship, of: pair) else { continue }
            addJoinTable(pair)
        }
    }

    /// The two ends of a many-to-many relationship, from the point of view of one.
    private struct Pair {
        let relationship: NSRelationshipDescription
        let inverse: NSRelationshipDescription
        /// The numbers of the entities that declare them.
        let own: Int
        let other: Int
        var isReflexive: Bool { relationship === inverse }
        /// Whether the inverse leads back to this relationship; only then one table stands for both.
        var isMutual: Bool { relationship.mutualInverse != nil }
    }

    private func pair(of relationship: NSRelationshipDescription) -> Pair? {
        guard relationship.isToMany, let inverse = relationship.inverseRelationship, inverse.isToMany,
            let own = numbering.number(of: relationship.entity), let other = numbering.number(of: inverse.entity)
        else { return nil }
        return Pair(relationship: relationship, inverse: inverse, own: own, other: other)
    }

    /// Whether the table is named after this end: that of the lower number.
    ///
    /// Within one entity Apple's choice follows no visible order, so either is right: here an ordered end wins, then
    /// the first in byte order.
    private func isNamesake(_ relationship: NSRelationshipDescription, of pair: Pair) -> Bool {
        guard pair.isMutual else { return true }
        guard pair.own == pair.other, !pair.isReflexive else { return pair.own <= pair.other }
        guard relationship.isOrdered == pair.inverse.isOrdered else { return relationship.isOrdered }
        return Self.precedes(relationship.name, pair.inverse.name)
    }

    private mutating func addJoinTable(_ pair: Pair) {
        let (name, inverseName) = (Self.upper(pair.relationship.name), Self.upper(pair.inverse.name))
        let table = tableNames.take("Z_\(pair.own)\(name)")
        // A relationship that is its own inverse has one name for two columns; the other is said to be REFLEXIVE.
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

    /// Names of join columns are unique for each entity number across the store.
    private mutating func joinColumn(_ number: Int, _ name: String) -> JoinTable.Column {
        let plain = "Z_\(number)\(name)"
        return .init(name: joinColumnNames[number, default: NameAllocator()].take(plain), plainName: plain)
    }

    private static func orderColumn(of column: JoinTable.Column) -> JoinTable.Column {
        .init(name: "Z_FOK_\(column.name.dropFirst(2))", plainName: "Z_FOK_\(column.plainName.dropFirst(2))")
    }
}

extension ToManyMapping.Join {
    /// The same table from the other end.
    var reversed: Self {
        .init(
            table: table, ownColumn: otherColumn, otherColumn: ownColumn, orderColumn: inverseOrderColumn,
            inverseOrderColumn: orderColumn, isReflexive: isReflexive)
    }
}
