import CoreDataStore

/// Where an old store has the links of a relationship, as seen from the relationship's owners.
enum LinkOrigin: Hashable {
    /// Keys of the members in the owners' rows, with an owner's position in an ordered inverse.
    case toOne(table: String, column: String, inverseOrder: String?)
    /// Keys of the owners in the members' rows, with a member's position.
    case foreignKey(table: String, column: String, order: String?)
    /// Pairs of keys in a join table.
    case join(table: String, own: String, other: String, order: String?, inverseOrder: String?)

    init?(_ relationship: NSRelationshipDescription, of mapping: EntityMapping) {
        if let toOne = mapping.toOne(relationship.name) {
            self = .toOne(table: mapping.table, column: toOne.column, inverseOrder: toOne.orderColumn)
        } else if let toMany = mapping.toMany(relationship.name) {
            switch toMany.storage {
            case .foreignKey(let key):
                self = .foreignKey(table: key.table, column: key.column, order: key.orderColumn)
            case .join(let join):
                self = .join(
                    table: join.table, own: join.ownColumn, other: join.otherColumn, order: join.orderColumn,
                    inverseOrder: join.inverseOrderColumn)
            }
        } else {
            return nil
        }
    }

    /// The table that contains the links.
    var table: String {
        switch self {
        case .toOne(let table, _, _), .foreignKey(let table, _, _), .join(let table, _, _, _, _): table
        }
    }

    /// The SQL for the position of a link in a relationship that is not ordered.
    private static let noPlace = "CAST(NULL AS INTEGER)"

    /// The query for all links: key of the owner, key of the member, the member's position, the owner's position in the
    /// inverse.
    var pairs: String {
        let q = SQLIdentifier.quoted
        switch self {
        case .toOne(let table, let column, let inverseOrder):
            return
                "SELECT Z_PK, \(q(column)), \(Self.noPlace), \(inverseOrder.map(q) ?? Self.noPlace) FROM \(q(table)) "
                + "WHERE \(q(column)) IS NOT NULL"
        case .foreignKey(let table, let column, let order):
            return "SELECT \(q(column)), Z_PK, \(order.map(q) ?? Self.noPlace), \(Self.noPlace) FROM \(q(table)) "
                + "WHERE \(q(column)) IS NOT NULL"
        case .join(let table, let own, let other, let order, let inverseOrder):
            return
                "SELECT \(q(own)), \(q(other)), \(order.map(q) ?? Self.noPlace), \(inverseOrder.map(q) ?? Self.noPlace) "
                + "FROM \(q(table)) WHERE \(q(own)) IS NOT NULL AND \(q(other)) IS NOT NULL"
        }
    }

    /// The same query as seen from the inverse: the members are the owners.
    var reversed: String {
        let q = SQLIdentifier.quoted
        switch self {
        case .toOne(let table, let column, let inverseOrder):
            return
                "SELECT \(q(column)), Z_PK, \(inverseOrder.map(q) ?? Self.noPlace), \(Self.noPlace) FROM \(q(table)) "
                + "WHERE \(q(column)) IS NOT NULL"
        case .foreignKey(let table, let column, let order):
            return "SELECT Z_PK, \(q(column)), \(Self.noPlace), \(order.map(q) ?? Self.noPlace) FROM \(q(table)) "
                + "WHERE \(q(column)) IS NOT NULL"
        case .join(let table, let own, let other, let order, let inverseOrder):
            return LinkOrigin.join(table: table, own: other, other: own, order: inverseOrder, inverseOrder: order).pairs
        }
    }

    /// The source of the key of the owner that refers to the row `o` of a table; the least key if several owners do.
    func owner(ofRowIn table: String) -> ColumnSource {
        let q = SQLIdentifier.quoted
        switch self {
        case .toOne(let owners, let column, _):
            return .query("SELECT min(x.Z_PK) FROM \(q(owners)) x WHERE x.\(q(column)) = o.Z_PK")
        case .foreignKey(table, let column, _): return .column(column)
        case .foreignKey(let members, let column, _):
            return .query("SELECT x.\(q(column)) FROM \(q(members)) x WHERE x.Z_PK = o.Z_PK")
        case .join(let links, let own, let other, _, _):
            return .query("SELECT min(x.\(q(own))) FROM \(q(links)) x WHERE x.\(q(other)) = o.Z_PK")
        }
    }
}

extension StoredCorrespondence {
    /// Returns where the old store has the links of a new relationship, for its entity and all subentities.
    func origins(of relationship: NSRelationshipDescription?) -> [LinkOrigin] {
        guard let relationship, let entity = relationship.entity else { return [] }
        var origins: [LinkOrigin] = []
        for pair in pairs(of: entity) {
            guard let before = pair.origins[relationship.name] as? NSRelationshipDescription,
                let origin = LinkOrigin(before, of: pair.before), !origins.contains(origin)
            else { continue }
            origins.append(origin)
        }
        return origins
    }
}
