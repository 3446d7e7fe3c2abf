import CoreDataSQL
import SQLiteKit

/// Writing the places of members in ordered relationships.
///
/// Places are integers with gaps that begin at 2048, as in Apple's stores. Members whose places ascend already keep them; from the first
/// that does not on, each gets the next multiple of the gap. So adding at the end writes one place.
extension StoreFile {
    private static let gap: Int64 = 1024

    func write(_ order: SavePlan.OrderChange) throws {
        let mapping = try mapping(of: order.owner.binding.layout)
        guard let toMany = mapping.toMany(order.relationship.name), let column = OrderColumn(toMany.storage) else {
            return
        }
        let stored = try places(of: order.owner.key, column)
        let listed = Set(order.members)
        let last = stored.filter { !listed.contains($0.key) }.values.max() ?? 0
        guard let changes = Self.newPlaces(of: order.members, stored: stored, after: max(0, last)) else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The places of the ordered relationship '\(order.relationship.name)' have used the last number there is.",
                hint: "Set the whole relationship anew.")
        }
        for (member, place) in changes {
            try connection.execute(column.update, [.integer(place), .integer(order.owner.key), .integer(member)])
        }
    }

    /// The places to write: none for the members at the start whose places are in order; nil at the end of the numbers.
    static func newPlaces(
        of members: [Int64], stored: [Int64: Int64], after last: Int64
    ) -> [(member: Int64, place: Int64)]? {
        var place = last
        var isInOrder = true
        var changes: [(Int64, Int64)] = []
        for member in members {
            if isInOrder, let known = stored[member], known > place {
                place = known
                continue
            }
            isInOrder = false
            let next = (max(place, gap) / gap + 1).multipliedReportingOverflow(by: gap)
            guard !next.overflow else { return nil }
            place = next.partialValue
            changes.append((member, place))
        }
        return changes
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

/// The column that holds the places of an ordered relationship's members, and the statements that use it.
private struct OrderColumn {
    /// Members' keys and places, of one owner.
    let query: String
    /// Place, owner and member.
    let update: String

    /// Nil where the relationship is not ordered.
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
