import CoreDataSQL
import PostgresKit

/// Makes the statements that write the positions of members in an ordered relationship.
///
/// `MemberPlaces` decides which positions change.
struct OrderWriter {
    let order: SavePlan.OrderChange
    private let table: String
    private let owner: String
    private let member: String
    private let place: String

    /// Returns nil if the relationship is not ordered.
    init?(_ order: SavePlan.OrderChange, _ shape: PostgresShape) throws {
        let mapping = try shape.table(of: order.owner.binding.layout).mapping
        guard let storage = mapping.toMany(order.relationship.name)?.storage else { return nil }
        let (table, owner, member, place): (String, String, String, String?) =
            switch storage {
            case .foreignKey(let key): (key.table, key.column, "Z_PK", key.orderColumn)
            case .join(let join): (join.table, join.ownColumn, join.otherColumn, join.orderColumn)
            }
        guard let place else { return nil }
        self.order = order
        self.table = shape.schema.table(table)
        self.owner = SQLIdentifier.quoted(owner)
        self.member = SQLIdentifier.quoted(member)
        self.place = SQLIdentifier.quoted(place)
    }

    /// The query for the current members and positions; it locks the rows.
    var query: PostgresStatement {
        PostgresStatement(
            "SELECT \(member), \(place) FROM \(table) WHERE \(owner) = $1::int8 FOR UPDATE",
            [.integer(order.owner.key)])
    }

    /// Returns the statements that set changed positions.
    ///
    /// - Throws: `NSPersistentStoreSaveError` if positions would exceed 64 bits.
    func statements(after result: PostgresResult) throws -> [PostgresStatement] {
        let stored = places(in: result)
        let listed = Set(order.members)
        let last = stored.filter { !listed.contains($0.key) }.values.max() ?? 0
        guard let changes = MemberPlaces(after: max(0, last)).changes(for: order.members, stored: stored) else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The places of the ordered relationship '\(order.relationship.name)' have used the last number there is.",
                hint: "Set the whole relationship anew.")
        }
        guard !changes.isEmpty else { return [] }
        return [
            PostgresStatement(
                "UPDATE \(table) t SET \(place) = u.p FROM unnest($2::int8[], $3::int8[]) AS u(m, p) "
                    + "WHERE t.\(owner) = $1::int8 AND t.\(member) = u.m",
                [.integer(order.owner.key), .integers(changes.map(\.member)), .integers(changes.map(\.place))])
        ]
    }

    /// Whether the order of members that already had positions changes.
    func changesOrder(after result: PostgresResult) -> Bool {
        let stored = places(in: result)
        let present = order.members.compactMap { stored[$0] }
        let listed = Set(order.members)
        let (least, others) = (present.min(), stored.filter { !listed.contains($0.key) })
        return zip(present, present.dropFirst()).contains { $0 > $1 }
            || others.contains { other in least.map { $0 < other.value } ?? false }
    }

    private func places(in result: PostgresResult) -> [Int64: Int64] {
        var stored: [Int64: Int64] = [:]
        for row in 0..<result.rowCount {
            guard let member = result.int64(row, 0), !result.isNull(row, 1) else { continue }
            stored[member] = result.int64(row, 1)
        }
        return stored
    }
}
