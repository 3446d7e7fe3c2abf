import CoreDataStore

/// Where the links of a relationship were stored, as seen from the objects that have the relationship.
enum LinkOrigin: Hashable {
    /// Keys in the owners' rows, with the owner's place in the inverse.
    case toOne(table: String, column: String, inverseOrder: String?)
    /// Keys of the owners in the members' rows.
    case foreignKey(table: String, column: String, order: String?)
    /// Pairs in a table of their own.
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

    /// The table that has the links.
    var table: String {
        switch self {
        case .toOne(let table, _, _), .foreignKey(let table, _, _), .join(let table, _, _, _, _): table
        }
    }

    /// The place of a link without one, as a number.
    private static let noPlace = "CAST(NULL AS INTEGER)"

    /// The query for all links: keys of owner and member, the member's place, the owner's place in the inverse.
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

    /// The same links as seen from the members.
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

    /// The key of an owner that leads to the row `o` of a table: the first, where there are several.
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
    /// Where the links of a new relationship were, of the entity's own objects and of those of all entities below it.
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
