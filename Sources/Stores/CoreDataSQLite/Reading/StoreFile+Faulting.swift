import CoreDataSQL
import SQLiteKit

extension StoreFile: RowFaulting {
    package func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] {
        let query = faultQueries.rows(of: try mapping(of: binding.layout), in: shape)
        guard let last = keys.last else { return [] }
        return try reporting("be read") {
            let statement: Statement
            switch keys.count {
            case 1:
                statement = try connection.prepare(query.one)
                try statement.bind(last, at: 1)
            case ...FaultQueries.fewCount:
                statement = try connection.prepare(query.few)
                for place in 0..<FaultQueries.fewCount {
                    try statement.bind(place < keys.count ? keys[place] : last, at: place + 1)
                }
            default:
                statement = try connection.prepare(query.many)
                try statement.bind(FaultQueries.list(of: keys), at: 1)
            }
            var reader = SQLiteRowReader(file: self, selection: query.selection, expectedCount: keys.count)
            return try reader.read(statement)
        }
    }

    package func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> AddressList {
        let mapping = try mapping(of: owner.layout)
        guard let query = faultQueries.members(of: relationship.name, owner: mapping, in: shape) else {
            return AddressList()
        }
        return try reporting("be read") {
            let statement = try connection.prepare(query.addresses)
            for index in 1...max(1, statement.parameterCount) { try statement.bind(key, at: index) }
            return try addresses(of: statement, family: query.family)
        }
    }

    package func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows {
        let mapping = try mapping(of: owner.layout)
        guard let query = faultQueries.members(of: relationship.name, owner: mapping, in: shape) else {
            return MemberRows()
        }
        return try reporting("be read") {
            let statement = try connection.prepare(query.rows)
            let list = FaultQueries.list(of: keys)
            for index in 1...max(1, statement.parameterCount) { try statement.bind(list, at: index) }
            var reader = SQLiteRowReader(file: self, selection: query.selection, expectedCount: keys.count)
            return try reader.readMembers(statement, areDistinct: query.areDistinct)
        }
    }
}
