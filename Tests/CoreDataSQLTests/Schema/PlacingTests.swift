import SQLiteKit
import Testing

@testable import CoreDataSQL

/// The statement of a migration that gives places to the members of an ordered relationship.
@Suite struct PlacingTests {
    /// The members of two owners, every other one without a place.
    private func connection(_ count: Int, isJoin: Bool) throws -> Connection {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, owner INT, member INT, place INT)")
        if isJoin { try connection.execute("CREATE UNIQUE INDEX i ON t (owner, member)") }
        let insertion = try connection.prepare("INSERT INTO t VALUES (?, ?, ?, ?)")
        for number in 1...count {
            let place = number % 2 == 0 ? Value.integer(Int64(number) * 10) : .null
            try insertion.bind([
                .integer(Int64(number)), .integer(number == 3 ? 2 : 1), .integer(Int64(number)), place,
            ])
            _ = try insertion.step()
            insertion.reset()
        }
        return connection
    }

    private func placing(isJoin: Bool) -> Placing {
        Placing(table: "t", owner: "owner", member: isJoin ? "member" : "Z_PK", order: "place", isJoin: isJoin)
    }

    @Test("links without a place come behind those that have one, by their keys (MIG-06)", arguments: [false, true])
    func linksWithoutPlaceComeBehindThose(isJoin: Bool) throws {
        let connection = try connection(6, isJoin: isJoin)
        try connection.execute(placing(isJoin: isJoin).step("t").text.sql)
        let rows = try connection.rows("SELECT Z_PK, place FROM t ORDER BY owner, place")
        let expected: [[Value]] = [[2, 20], [4, 40], [6, 60], [1, 1_084], [5, 2_108], [3, 2_048]]
        #expect(rows == expected)
    }

    @Test("places are given in one pass, however many members one owner has (MIG-18)", arguments: [false, true])
    func onePass(isJoin: Bool) throws {
        let instructions = try [1_000, 8_000].map { count in
            let statement = try connection(count, isJoin: isJoin).prepare(placing(isJoin: isJoin).step("t").text.sql)
            while try statement.step() {}
            return statement.takeCost().instructions
        }
        #expect(instructions[1] < instructions[0] * 12)
    }
}
