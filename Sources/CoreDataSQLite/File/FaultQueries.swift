import CoreDataSQL
import SQLiteKit

/// The statements that fill faults, put together once for each entity and relationship.
///
/// Keys are bound one by one where they are few, and as one parameter where there are many: the texts never change.
final class FaultQueries {
    /// The rows of one hierarchy by their keys.
    struct Rows {
        let selection: RowSelection
        let one: String
        /// By as many keys as `fewCount` says, of which some may be equal.
        let few: String
        let many: String
    }

    /// The members of a relationship, with the entities that they can be of.
    struct Members {
        /// The addresses of one owner's members.
        let addresses: String
        /// The rows of many owners' members; behind the columns of the selection stands the owner's key.
        let rows: String
        let selection: RowSelection
        let family: [Int]
    }

    private struct Place: Hashable {
        let relationship: String
        let owner: Int
    }

    /// How many keys are bound one by one; beyond that taking a list apart costs less.
    static let fewCount = 8
    private static let list = "(SELECT value FROM json_each(?))"
    private var rows: [Int: Rows] = [:]
    private var members: [Place: Members] = [:]

    /// How many texts were put together until now.
    var count: Int { rows.count + members.count }

    func rows(of mapping: EntityMapping, in shape: StoreShape) -> Rows {
        if let known = rows[mapping.number] { return known }
        let selection = RowSelection(shape.plans(of: mapping, withDescendants: true))
        let head = "SELECT \(selection.list) FROM \(SQLIdentifier.quoted(mapping.table)) t0 WHERE t0.Z_PK"
        let places = Array(repeating: "?", count: Self.fewCount).joined(separator: ", ")
        let made = Rows(
            selection: selection, one: "\(head) = ?", few: "\(head) IN (\(places))", many: "\(head) IN \(Self.list)")
        rows[mapping.number] = made
        return made
    }

    /// The members of an entity's relationship; nil for one that the store does not keep.
    func members(of name: String, owner: EntityMapping, in shape: StoreShape) -> Members? {
        let place = Place(relationship: name, owner: owner.number)
        if let known = members[place] { return known }
        guard let toMany = owner.toMany(name), let destination = shape.schema.entity(number: toMany.destination) else {
            return nil
        }
        let selection = RowSelection(shape.plans(of: destination, withDescendants: true))
        let query = MembersQuery(toMany, destination, owner: owner)
        let made = Members(
            addresses: query.text("t0.Z_PK, t0.Z_ENT", of: "= ?"),
            rows: query.text(selection.list, of: "IN \(Self.list)", withOwner: true), selection: selection,
            family: destination.familyNumbers)
        members[place] = made
        return made
    }

    /// Keys as the parameter that `list` takes apart.
    static func list(of keys: [Int64]) -> String { "[" + keys.map(String.init).joined(separator: ",") + "]" }
}

/// How the members of a to-many relationship are selected.
///
/// Members come in their order; those whose place is missing or equal come by key, so that the order is always the same.
private struct MembersQuery {
    private let toMany: ToManyMapping
    private let target: String
    private let owner: EntityMapping

    init(_ toMany: ToManyMapping, _ destination: EntityMapping, owner: EntityMapping) {
        self.toMany = toMany
        self.owner = owner
        target = SQLIdentifier.quoted(destination.table)
    }

    func text(_ list: String, of owners: String, withOwner: Bool = false) -> String {
        let quoted = SQLIdentifier.quoted
        switch toMany.storage {
        case .foreignKey(let key):
            let order = key.orderColumn.map { "t0.\(quoted($0)), " } ?? ""
            let columns = withOwner ? "\(list), t0.\(quoted(key.column))" : list
            return "SELECT \(columns) FROM \(quoted(key.table)) t0 WHERE t0.\(quoted(key.column)) \(owners)"
                + "\(sameOwner(key.entityColumn)) ORDER BY \(order)t0.Z_PK"
        case .join(let join):
            let order = join.orderColumn.map { "j.\(quoted($0)), " } ?? ""
            let one = joined(list, join.table, own: join.ownColumn, other: join.otherColumn, owners, withOwner)
            guard join.isReflexive else { return "\(one) ORDER BY \(order)t0.Z_PK" }
            let other = joined(list, join.table, own: join.otherColumn, other: join.ownColumn, owners, withOwner)
            return "\(one) UNION \(other) ORDER BY 1"
        }
    }

    /// The column may be shared with owners of other entities, told apart by their number.
    private func sameOwner(_ entityColumn: String?) -> String {
        guard let column = entityColumn.map(SQLIdentifier.quoted) else { return "" }
        let numbers = owner.familyNumbers.map(String.init).joined(separator: ", ")
        return " AND (t0.\(column) IN (\(numbers)) OR t0.\(column) IS NULL)"
    }

    private func joined(
        _ list: String, _ table: String, own: String, other: String, _ owners: String, _ withOwner: Bool
    ) -> String {
        let quoted = SQLIdentifier.quoted
        let columns = withOwner ? "\(list), j.\(quoted(own))" : list
        return "SELECT \(columns) FROM \(quoted(table)) j JOIN \(target) t0 ON t0.Z_PK = j.\(quoted(other)) "
            + "WHERE j.\(quoted(own)) \(owners)"
    }
}
