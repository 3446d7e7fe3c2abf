import CoreDataStore

/// Makes the join table of one many-to-many relationship.
struct JoinMigration {
    let table: TableDefinition
    let join: ToManyMapping.Join
    /// The relationship as `Entity.relationship`.
    let name: String
    private let owner: EntityMapping
    private let member: EntityMapping?
    private let relationship: NSRelationshipDescription
    private let selections: [String]
    /// The old tables that the links come from.
    let sources: [String]
    private let correspondence: StoredCorrespondence

    init?(
        _ table: TableDefinition, relationship: NSRelationshipDescription, of owner: EntityMapping,
        correspondence: StoredCorrespondence
    ) {
        guard let toMany = owner.toMany(relationship.name), case .join(let join) = toMany.storage else { return nil }
        self.table = table
        self.join = join
        self.owner = owner
        self.relationship = relationship
        self.correspondence = correspondence
        name = "\(owner.name).\(relationship.name)"
        member = correspondence.new.schema.entity(number: toMany.destination)
        let own = correspondence.origins(of: relationship)
        let inverse = own.isEmpty ? correspondence.origins(of: relationship.inverseRelationship) : []
        selections = own.map(\.pairs) + inverse.map(\.reversed)
        sources = (own + inverse).map(\.table)
        isSame = Self.isSame(table, origins: own, join: join, correspondence: correspondence)
    }

    /// Whether the old join table can stay as it is.
    let isSame: Bool

    private static func isSame(
        _ table: TableDefinition, origins: [LinkOrigin], join: ToManyMapping.Join,
        correspondence: StoredCorrespondence
    ) -> Bool {
        let wanted = LinkOrigin.join(
            table: join.table, own: join.ownColumn, other: join.otherColumn, order: join.orderColumn,
            inverseOrder: join.inverseOrderColumn)
        let before = correspondence.old.schema.tables.first { $0.name == table.name }
        return origins == [wanted] && before.map { Set($0.columns.map(\.name)) } == Set(table.columns.map(\.name))
    }

    var temporaryName: String { correspondence.dialect.name(MigrationNames.temporary(of: table.name)) }

    /// Returns the steps that create the table under another name and copy the old links into it.
    func creation(as name: String) -> [MigrationStep] {
        var definition = table
        definition.name = name
        let dialect = correspondence.dialect
        let rule = dialect.rule(.ignoring(key: table.keyColumns))
        var steps = [MigrationStep(.createTable, subject: self.name, sql: dialect.creation(of: definition))]
        let q = SQLIdentifier.quoted
        let columns = [
            (join.ownColumn, "c1"), (join.otherColumn, "c2"), (join.orderColumn, "c3"), (join.inverseOrderColumn, "c4"),
        ].compactMap { column, value in column.map { (q($0), value) } }
        for (selection, source) in zip(selections, sources) {
            // Two old relationships that became one may contain the same link; the copy ignores the second.
            steps.append(
                MigrationStep(
                    .copyRows, subject: self.name,
                    sql: "WITH l(c1, c2, c3, c4) AS (\(selection)) \(rule.verb) INTO \(q(name)) "
                        + "(\(columns.map(\.0).joined(separator: ", "))) "
                        + "SELECT \(columns.map(\.1).joined(separator: ", ")) FROM l\(rule.end)",
                    rowsOf: source))
        }
        return steps
    }

    /// The steps that assign positions to links without one, and remove the links of rows that no longer exist.
    var completion: [MigrationStep] {
        let places = [
            join.orderColumn.map { (join.ownColumn, join.otherColumn, $0) },
            join.inverseOrderColumn.map { (join.otherColumn, join.ownColumn, $0) },
        ].compactMap(\.self)
        guard !selections.isEmpty else { return [] }
        return cleaning
            + places.map { owner, member, order in
                Placing(table: table.name, owner: owner, member: member, order: order, isJoin: true).step(name)
            }
    }

    private var cleaning: [MigrationStep] {
        guard let member else { return [] }
        let ends = [(join.ownColumn, owner), (join.otherColumn, member)]
        return ends.compactMap { column, entity in
            guard let condition = correspondence.danglingCondition(column, of: table.name, to: entity, formerly: nil)
            else { return nil }
            return MigrationStep(
                .deleteRows, subject: name, sql: "DELETE FROM \(SQLIdentifier.quoted(table.name)) WHERE \(condition)")
        }
    }
}

/// The statement that assigns positions to the links of an ordered relationship that lack one.
struct Placing {
    let table: String
    let owner: String
    let member: String
    let order: String
    let isJoin: Bool

    func step(_ subject: String) -> MigrationStep {
        let q = SQLIdentifier.quoted
        let (table, owner, member, order) = (q(table), q(owner), q(member), q(order))
        let identity =
            isJoin ? "\(table).\(owner) = p.a AND \(table).\(member) = p.b" : "\(table).Z_PK = p.b"
        // New positions follow the owner's greatest one; multiples of 1024, as in Apple's stores. All are assigned in
        // one pass: a subquery for the greatest position in each row would be quadratic in the members of one owner.
        return MigrationStep(
            .updateRows, subject: subject,
            sql:
                "UPDATE \(table) SET \(order) = p.place FROM (SELECT a, b, coalesce(last, 1024) + 1024 * number AS place FROM "
                + "(SELECT \(owner) AS a, \(member) AS b, \(order) AS former, max(\(order)) OVER (PARTITION BY \(owner)) AS last, "
                + "row_number() OVER (PARTITION BY \(owner), \(order) IS NULL ORDER BY \(member)) AS number "
                + "FROM \(table) WHERE \(owner) IS NOT NULL) q WHERE former IS NULL) p WHERE \(identity)")
    }
}

extension StoredCorrespondence {
    /// Returns the condition that a key of a table refers to no row of an entity; nil if no row that it referred to was
    /// removed.
    ///
    /// - Parameter former: the entity that the key referred to before the migration; nil if it is not known.
    func danglingCondition(
        _ column: String, of table: String, to entity: EntityMapping, formerly former: EntityMapping?
    ) -> String? {
        let family = Set(entity.familyNumbers)
        let wasThere =
            former.map { old.family(of: $0) }
            ?? old.schema.entities.filter { before in
                kept.contains { family.contains($0.after.number) && $0.before.table == before.table }
            }
        let isWhole = wasThere.allSatisfy { $0.isAbstract || numbers[$0.number].map(family.contains) ?? false }
        guard !isWhole || wasThere.isEmpty else { return nil }
        let q = SQLIdentifier.quoted
        let key = "\(q(table)).\(q(column))"
        let list = entity.familyNumbers.map(String.init).joined(separator: ", ")
        let isOfFamily = entity.isAloneInTable ? "" : " AND d.Z_ENT IN (\(list))"
        return
            "\(key) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(q(entity.table)) d WHERE d.Z_PK = \(key)\(isOfFamily))"
    }

    /// Returns the old destination entity of a relationship; nil if the old entity had no such relationship.
    func formerDestination(of relationship: NSRelationshipDescription, _ pair: EntityPair) -> EntityMapping? {
        old.mapping((pair.origins[relationship.name] as? NSRelationshipDescription)?.destinationEntity)
    }
}
