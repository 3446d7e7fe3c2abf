import CoreDataSQL
import SQLiteKit

/// Writes the positions of members in ordered relationships.
///
/// `MemberPlaces` decides which positions change; each is written with one statement.
extension StoreFile {
    func write(_ order: SavePlan.OrderChange) throws {
        let mapping = try mapping(of: order.owner.binding.layout)
        guard let toMany = mapping.toMany(order.relationship.name), let column = OrderColumn(toMany.storage) else {
            return
        }
        let stored = try places(of: order.owner.key, column)
        let listed = Set(order.members)
        let last = stored.filter { !listed.contains($0.key) }.values.max() ?? 0
        guard let changes = MemberPlaces(after: max(0, last)).changes(for: order.members, stored: stored) else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The places of the ordered relationship '\(order.relationship.name)' have used the last number there is.",
                hint: "Set the whole relationship anew.")
        }
        for (member, place) in changes {
            try connection.execute(column.update, [.integer(place), .integer(order.owner.key), .integer(member)])
        }
    }

    private func places(of owner: Int64, _ column: OrderColumn) throws -> [Int64: Int64] {
        let statement = try connection.prepare(column.query)
        try statement.bind(owner, at: 1)
        var places: [Int64: Int64] = [:]
        while try statement.step() {
            if statement.columnType(1) == .integer { places[statement.int64(0)] = statement.int64(1) }
        }
        return places
    }
}

/// The column with the positions of an ordered relationship's members, and the statements that use it.
private struct OrderColumn {
    /// The query for keys and positions of one owner's members.
    let query: String
    /// The statement that sets a position; parameters: position, owner and member.
    let update: String

    /// Returns nil if the relationship is not ordered.
    init?(_ storage: ToManyMapping.Storage) {
        let quoted = SQLIdentifier.quoted
        let (table, owner, member, place): (String, String, String, String?) =
            switch storage {
            case .foreignKey(let key): (key.table, key.column, "Z_PK", key.orderColumn)
            case .join(let join): (join.table, join.ownColumn, join.otherColumn, join.orderColumn)
            }
        guard let place else { return nil }
        query = "SELECT \(quoted(member)), \(quoted(place)) FROM \(quoted(table)) WHERE \(quoted(owner)) = ?"
        update = "UPDATE \(quoted(table)) SET \(quoted(place)) = ? WHERE \(quoted(owner)) = ? AND \(quoted(member)) = ?"
    }
}
