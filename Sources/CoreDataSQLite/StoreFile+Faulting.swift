import CoreDataSQL
import SQLiteKit

extension StoreFile: RowFaulting {
    package func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] {
        let mapping = try mapping(of: binding.layout)
        let selection = RowSelection(plans(of: mapping, withDescendants: true))
        let condition =
            keys.count == 1 ? "t0.Z_PK = ?" : "t0.Z_PK IN (SELECT value FROM json_each(?))"
        let sql = "SELECT \(selection.list) FROM \(SQLIdentifier.quoted(mapping.table)) t0 WHERE \(condition)"
        return try reporting("be read") {
            let statement = try connection.prepare(sql)
            if keys.count == 1 {
                try statement.bind(keys[0], at: 1)
            } else {
                try statement.bind("[" + keys.map(String.init).joined(separator: ",") + "]", at: 1)
            }
            var reader = RowReader(file: self, selection: selection, expectedCount: keys.count)
            return try reader.read(statement)
        }
    }

    package func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> [RowAddress] {
        let mapping = try mapping(of: owner.layout)
        guard let toMany = mapping.toMany(relationship.name),
            let destination = schema.entity(number: toMany.destination)
        else { return [] }
        let sql = Self.membersQuery(toMany, destination, owner: mapping)
        return try reporting("be read") {
            let statement = try connection.prepare(sql)
            for index in 1...max(1, statement.parameterCount) { try statement.bind(key, at: index) }
            return try addresses(of: statement)
        }
    }

    /// Members in their order; those whose place is missing or equal come by key, so that the order is always the same.
    private static func membersQuery(
        _ toMany: ToManyMapping, _ destination: EntityMapping, owner: EntityMapping
    ) -> String {
        let quoted = SQLIdentifier.quoted
        switch toMany.storage {
        case .foreignKey(let key):
            let order = key.orderColumn.map { "t0.\(quoted($0)), " } ?? ""
            // The column may be shared with owners of other entities, told apart by their number.
            let owners = owner.familyNumbers.map(String.init).joined(separator: ", ")
            let sameOwner = key.entityColumn.map { " AND (t0.\(quoted($0)) IN (\(owners)) OR t0.\(quoted($0)) IS NULL)" }
            return "SELECT t0.Z_PK, t0.Z_ENT FROM \(quoted(key.table)) t0 WHERE t0.\(quoted(key.column)) = ?"
                + "\(sameOwner ?? "") ORDER BY \(order)t0.Z_PK"
        case .join(let join):
            let target = quoted(destination.table)
            let order = join.orderColumn.map { "j.\(quoted($0)), " } ?? ""
            let one = joined(join, own: join.ownColumn, other: join.otherColumn, target)
            guard join.isReflexive else { return "\(one) ORDER BY \(order)t0.Z_PK" }
            let other = joined(join, own: join.otherColumn, other: join.ownColumn, target)
            return "\(one) UNION \(other) ORDER BY 1"
        }
    }

    private static func joined(
        _ join: ToManyMapping.Join, own: String, other: String, _ target: String
    ) -> String {
        let quoted = SQLIdentifier.quoted
        return "SELECT t0.Z_PK, t0.Z_ENT FROM \(quoted(join.table)) j JOIN \(target) t0 ON t0.Z_PK = j.\(quoted(other)) "
            + "WHERE j.\(quoted(own)) = ?"
    }
}
