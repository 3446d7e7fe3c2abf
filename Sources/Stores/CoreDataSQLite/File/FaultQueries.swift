import CoreDataSQL
import SQLiteKit

/// The statements that fill faults, put together once for each entity and relationship.
///
/// Keys are bound one by one where they are few, and as one parameter where there are many: the texts never change.
final class FaultQueries {
    /// The rows of one hierarchy by their keys.
    struct Rows {
        let selection: SQLiteRowSelection
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
        let selection: SQLiteRowSelection
        let family: [Int]
        /// Whether `rows` has each member once.
        let areDistinct: Bool
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
        let selection = SQLiteRowSelection(shape.plans(of: mapping, withDescendants: true))
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
        let selection = SQLiteRowSelection(shape.plans(of: destination, withDescendants: true))
        let query = MembersQuery(toMany, destination: destination, owner: owner, dialect: .sqlite)
        let made = Members(
            addresses: query.text("t0.Z_PK, t0.Z_ENT", of: "= ?"),
            rows: query.text(selection.list, of: "IN \(Self.list)", withOwner: true), selection: selection,
            family: destination.familyNumbers, areDistinct: query.hasDistinctMembers)
        members[place] = made
        return made
    }

    /// Keys as the parameter that `list` takes apart.
    static func list(of keys: [Int64]) -> String { "[" + keys.map(String.init).joined(separator: ",") + "]" }
}
