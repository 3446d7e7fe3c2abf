import CoreDataSQL
import SQLiteKit

/// The statements that fire faults, built once for each entity and relationship.
///
/// A few keys are bound one by one, many keys as one parameter, so that the SQL texts never change.
final class FaultQueries {
    /// The queries for rows of one entity hierarchy by their keys.
    struct Rows {
        let selection: SQLiteRowSelection
        let one: String
        /// The query for `fewCount` keys, of which some may be equal.
        let few: String
        let many: String
    }

    /// The queries for the members of a relationship, and the numbers of the entities that members can be of.
    struct Members {
        /// The query for the addresses of one owner's members.
        let addresses: String
        /// The query for the rows of many owners' members; the owner's key follows the columns of the selection.
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

    /// The maximum number of keys that are bound one by one; for more, parsing a JSON array is cheaper.
    static let fewCount = 8
    private static let list = "(SELECT value FROM json_each(?))"
    private var rows: [Int: Rows] = [:]
    private var members: [Place: Members] = [:]

    /// The number of entities and relationships for which SQL has been built.
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

    /// Returns the queries for an entity's relationship; nil if the store does not contain the relationship.
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

    /// Returns keys as the parameter of `list`, a JSON array.
    static func list(of keys: [Int64]) -> String { "[" + keys.map(String.init).joined(separator: ",") + "]" }
}
