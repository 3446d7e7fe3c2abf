import CoreDataSQL
import SQLiteKit

extension StoreFile: RowFaulting {
    package func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] {
        let query = faultQueries.rows(of: try mapping(of: binding.layout), in: self)
        return try reporting("be read") {
            let statement = try connection.prepare(keys.count == 1 ? query.one : query.many)
            if keys.count == 1 {
                try statement.bind(keys[0], at: 1)
            } else {
                try statement.bind(FaultQueries.list(of: keys), at: 1)
            }
            var reader = RowReader(file: self, selection: query.selection, expectedCount: keys.count)
            return try reader.read(statement)
        }
    }

    package func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> [RowAddress] {
        let mapping = try mapping(of: owner.layout)
        guard let query = faultQueries.members(of: relationship.name, owner: mapping, in: self) else { return [] }
        return try reporting("be read") {
            let statement = try connection.prepare(query.addresses)
            for index in 1...max(1, statement.parameterCount) { try statement.bind(key, at: index) }
            return Array(try addresses(of: statement, family: query.family))
        }
    }

    package func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows {
        let mapping = try mapping(of: owner.layout)
        guard let query = faultQueries.members(of: relationship.name, owner: mapping, in: self) else {
            return MemberRows()
        }
        return try reporting("be read") {
            let statement = try connection.prepare(query.rows)
            let list = FaultQueries.list(of: keys)
            for index in 1...max(1, statement.parameterCount) { try statement.bind(list, at: index) }
            var reader = RowReader(file: self, selection: query.selection, expectedCount: keys.count)
            return try reader.readMembers(statement)
        }
    }
}
