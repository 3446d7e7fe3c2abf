import CoreData

/// Rules about the order columns of ordered relationships, which store each member's place.
///
/// The repair renumbers all members of an owner in the order in which a fetch returns them: by place, then by key.
struct OrderRules {
    let store: CheckedStore

    /// An order column, with the column that stores the key of the owner whose relationship has the member.
    private struct Place {
        let name: String
        let relationship: String
        let ownerTable: String
        let table: String
        let owner: String
        /// The column of the owner's entity number; nil if the table has none for this relationship.
        let ownerEntity: String?
        let order: String
        /// The column by whose values members with equal places are ordered.
        let member: String
        let isJoin: Bool
    }

    /// The difference between the new places of successive members, as in stores of Apple's framework.
    private static let gap = 1024

    func rules(of table: String) -> [RowRule] {
        places.filter { $0.table == table }.flatMap { [missing($0), equal($0)] }
    }

    private var places: [Place] {
        var seen: Set<String> = []
        return store.schema.entities.flatMap { entity in
            entity.toManys.compactMap { place($0, of: entity) }.filter {
                seen.insert("\($0.table) \($0.order)").inserted
            }
        }
    }

    private func place(_ toMany: ToManyMapping, of entity: EntityMapping) -> Place? {
        switch toMany.storage {
        case .foreignKey(let key):
            guard let order = key.orderColumn, store.has(key.table, key.column, order, key.entityColumn) else {
                return nil
            }
            return Place(
                name: "\(entity.name).\(toMany.name)", relationship: toMany.name, ownerTable: entity.table,
                table: key.table, owner: key.column,
                ownerEntity: key.entityColumn, order: order, member: "Z_PK", isJoin: false)
        case .join(let join):
            guard let order = join.orderColumn, store.has(join.table, join.ownColumn, join.otherColumn, order) else {
                return nil
            }
            return Place(
                name: "\(entity.name).\(toMany.name)", relationship: toMany.name, ownerTable: entity.table,
                table: join.table, owner: join.ownColumn, ownerEntity: nil,
                order: order, member: join.otherColumn, isJoin: true)
        }
    }

    private func rule(_ place: Place, condition: String, sentence: String) -> RowRule {
        RowRule(
            kind: .orderKey, table: place.table, property: place.name,
            condition: "t.\(SQLIdentifier.quoted(place.owner)) IS NOT NULL AND \(condition)",
            key: "t.\(SQLIdentifier.quoted(place.member))", entity: place.isJoin ? "NULL" : "t.Z_ENT",
            detail: "t.\(SQLIdentifier.quoted(place.owner))", sentence: sentence, remedy: renumbering(place),
            changes: .init(
                entity: "(SELECT o.Z_ENT FROM \(SQLIdentifier.quoted(place.ownerTable)) o WHERE o.Z_PK = "
                    + "t.\(SQLIdentifier.quoted(place.owner)))", key: "t.\(SQLIdentifier.quoted(place.owner))",
                property: place.relationship))
    }

    private func missing(_ place: Place) -> RowRule {
        let order = "t.\(SQLIdentifier.quoted(place.order))"
        return rule(
            place, condition: "(typeof(\(order)) <> 'integer' OR \(order) < 0)",
            sentence: "The member has no place among those of the owner #, or a negative one.")
    }

    private func equal(_ place: Place) -> RowRule {
        let order = SQLIdentifier.quoted(place.order)
        return rule(
            place,
            condition:
                "t.rowid IN (SELECT id FROM (SELECT rowid id, row_number() OVER (PARTITION BY \(group(place)), \(order) "
                + "ORDER BY rowid) n FROM \(SQLIdentifier.quoted(place.table)) WHERE typeof(\(order)) = 'integer' "
                + "AND \(SQLIdentifier.quoted(place.owner)) IS NOT NULL) WHERE n > 1)",
            sentence: "The member has the same place among those of the owner # as another one.")
    }

    private func group(_ place: Place) -> String {
        [place.owner, place.ownerEntity].compactMap(\.self).map(SQLIdentifier.quoted).joined(separator: ", ")
    }

    private func renumbering(_ place: Place) -> RowRemedy {
        let table = SQLIdentifier.quoted(place.table)
        let (owner, order) = (SQLIdentifier.quoted(place.owner), SQLIdentifier.quoted(place.order))
        let owners = "SELECT \(owner) FROM \(table) WHERE rowid IN (SELECT id FROM temp.repairing)"
        let version = place.isJoin ? "" : ", " + RowRemedy.nextVersion
        return RowRemedy(
            text: "All members of the owner get new places, in the order in which they are read.",
            statements: [
                "DELETE FROM temp.places",
                "INSERT INTO temp.places (id, place) SELECT rowid, \(Self.gap) * (1 + row_number() OVER (PARTITION BY "
                    + "\(group(place)) ORDER BY \(order), \(SQLIdentifier.quoted(place.member)))) FROM \(table) "
                    + "WHERE \(owner) IN (\(owners))",
                "UPDATE \(table) AS t SET \(order) = (SELECT place FROM temp.places p WHERE p.id = t.rowid)\(version) "
                    + "WHERE t.rowid IN (SELECT id FROM temp.places)",
            ])
    }
}
