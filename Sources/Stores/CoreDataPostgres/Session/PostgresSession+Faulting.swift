import CoreDataSQL
import PostgresKit

extension PostgresSession {
    /// Returns the rows of one hierarchy with the given keys, in any order.
    func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] {
        let table = try shape.table(of: binding.layout)
        guard !keys.isEmpty else { return [] }
        let selection = shape.selection(of: table.mapping, withDescendants: true)
        return try reporting("be read") {
            let result = try query(
                "SELECT \(selection.list) FROM \(schema.table(table.mapping.table)) t0 WHERE t0.Z_PK = ANY($1)",
                [.integers(keys)])
            var reader = PostgresRowReader(shape, selection, expectedCount: result.rowCount)
            return reader.read(result)
        }
    }

    /// Returns the members of a to-many relationship of one row, in their order if it is ordered.
    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> AddressList {
        guard let (query, destination) = try membersQuery(relationship, owner) else { return AddressList() }
        return try reporting("be read") {
            let result = try self.query(query.text("t0.Z_PK, t0.Z_ENT", of: "= ANY($1)"), [.integers([key])])
            return addresses(of: result, within: destination)
        }
    }

    /// Returns the members of a to-many relationship of many rows of one hierarchy, with the members' rows.
    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows {
        guard let (query, destination) = try membersQuery(relationship, owner), !keys.isEmpty else {
            return MemberRows()
        }
        let selection = shape.selection(of: destination, withDescendants: true)
        return try reporting("be read") {
            let result = try self.query(
                query.text(selection.list, of: "= ANY($1)", withOwner: true), [.integers(keys)])
            var reader = PostgresRowReader(shape, selection, expectedCount: result.rowCount)
            return reader.readMembers(result)
        }
    }

    /// Returns the query for members, and the destination entity; nil for a relationship that the store does not
    /// contain.
    private func membersQuery(
        _ relationship: NSRelationshipDescription, _ owner: EntityBinding
    ) throws -> (MembersQuery, EntityMapping)? {
        let mapping = try shape.table(of: owner.layout).mapping
        guard let toMany = mapping.toMany(relationship.name),
            let destination = schema.store.entity(number: toMany.destination)
        else { return nil }
        return (MembersQuery(toMany, destination: destination, owner: mapping, dialect: schema.dialect), destination)
    }
}
