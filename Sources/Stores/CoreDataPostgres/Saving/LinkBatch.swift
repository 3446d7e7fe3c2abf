import CoreDataSQL
import PostgresKit

/// Builds statements that add or remove the links of one relationship.
struct LinkBatch {
    private let schema: PostgresSchema
    private let storage: ToManyMapping.Storage
    private let owner: Int

    init(_ toMany: ToManyMapping, owner: Int, _ schema: PostgresSchema) {
        self.schema = schema
        storage = toMany.storage
        self.owner = owner
    }

    func statement(_ links: [SavePlan.LinkChange], isRemoval: Bool) -> PostgresStatement {
        PostgresStatement(
            isRemoval ? removal : insertion, [.integers(links.map(\.owner.key)), .integers(links.map(\.member.key))])
    }

    private static let pairs = "unnest($1::int8[], $2::int8[]) AS u(o, m)"

    private var insertion: String {
        let quoted = SQLIdentifier.quoted
        switch storage {
        case .join(let join):
            return "INSERT INTO \(schema.table(join.table)) (\(quoted(join.ownColumn)), \(quoted(join.otherColumn))) "
                + "SELECT u.o, u.m FROM \(Self.pairs) ON CONFLICT DO NOTHING"
        case .foreignKey(let key):
            let entity = key.entityColumn.map { ", \(quoted($0)) = \(owner)" } ?? ""
            return "UPDATE \(schema.table(key.table)) t SET \(quoted(key.column)) = u.o\(entity) "
                + "FROM \(Self.pairs) WHERE t.Z_PK = u.m"
        }
    }

    private var removal: String {
        let quoted = SQLIdentifier.quoted
        switch storage {
        case .join(let join):
            return "DELETE FROM \(schema.table(join.table)) t USING \(Self.pairs) "
                + "WHERE t.\(quoted(join.ownColumn)) = u.o AND t.\(quoted(join.otherColumn)) = u.m"
        case .foreignKey(let key):
            // Only removes the members from these owners: the same save may have added them to others.
            return "UPDATE \(schema.table(key.table)) t SET \(quoted(key.column)) = NULL FROM \(Self.pairs) "
                + "WHERE t.\(quoted(key.column)) = u.o AND t.Z_PK = u.m"
        }
    }

    /// Returns the statements that remove references to deleted rows, whose keys are the first parameter, from join
    /// tables and from members of relationships without inverse.
    static func cleanups(of toMany: ToManyMapping, _ schema: PostgresSchema) -> [String] {
        let quoted = SQLIdentifier.quoted
        switch toMany.storage {
        case .join(let join):
            return (join.isReflexive ? [join.ownColumn, join.otherColumn] : [join.ownColumn]).map {
                "DELETE FROM \(schema.table(join.table)) WHERE \(quoted($0)) = ANY($1)"
            }
        case .foreignKey(let key) where toMany.inverse == nil:
            return [
                "UPDATE \(schema.table(key.table)) SET \(quoted(key.column)) = NULL "
                    + "WHERE \(quoted(key.column)) = ANY($1)"
            ]
        case .foreignKey: return []
        }
    }
}
