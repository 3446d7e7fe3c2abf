import CoreDataSync
import Foundation
import SyncSimulator
import Testing

@Suite("Merge rules of sync")
struct MergeRuleTests {
    private func pair() throws -> EnginePair {
        let configuration = SyncConfiguration(schema: try SimulatedModel.schema(version: 1))
        return try EnginePair([configuration, configuration])
    }

    private func edit(_ object: ObjectIdentity, _ name: String, _ value: SyncValue) -> LocalChange {
        LocalChange(.known(object), .update, values: [name: value])
    }

    @Test("a counter set to nil is nil, and counts what was added without knowledge of that")
    func counterIsSetToNil() throws {
        var pair = try pair()
        try pair.save(0, LocalChange(.new(1), .insert(entity: "Person"), values: ["score": .int(3)]))
        let person = try #require(pair.assigned[1])
        try pair.exchange()
        for (index, score) in [(0, 5 as Int64), (1, 7)] {
            try pair.save(index, edit(person, "score", .int(score)))
            try pair.exchange()
        }
        try pair.save(0, edit(person, "score", .null))
        #expect(pair.rows[0][person]?.values["score"] == .null)
        try pair.save(1, edit(person, "score", .int(17)))
        try pair.exchange()
        #expect(pair.rows.map { $0[person]?.values["score"] } == [.int(10), .int(10)])
        try pair.save(1, edit(person, "score", .null))
        try pair.exchange()
        #expect(pair.rows.map { $0[person]?.values["score"] } == [.null, .null])
        try pair.save(0, edit(person, "score", .int(2)))
        try pair.save(0, edit(person, "score", .int(3)))
        try pair.exchange()
        #expect(pair.rows.map { $0[person]?.values["score"] } == [.int(3), .int(3)])
    }

    @Test("a counter's change that had not seen the deletion of its object brings it back (SYNC-06)")
    func counterRevives() throws {
        var pair = try pair()
        try pair.save(0, LocalChange(.new(1), .insert(entity: "Contract"), values: ["pages": .int(1)]))
        let contract = try #require(pair.assigned[1])
        try pair.exchange()
        try pair.save(0, edit(contract, "pages", .int(4)))
        try pair.save(1, LocalChange(.known(contract), .delete))
        try pair.exchange()
        #expect(pair.rows.map { $0[contract]?.values["pages"] } == [.int(4), .int(4)])
    }

    @Test("an object that a link brought back stays when the link is taken away")
    func revivedObjectStays() throws {
        var pair = try pair()
        try pair.save(
            0, LocalChange(.new(1), .insert(entity: "Contract")), LocalChange(.new(2), .insert(entity: "Team")))
        let (contract, team) = (try #require(pair.assigned[1]), try #require(pair.assigned[2]))
        try pair.exchange()
        try pair.save(0, LocalChange(.known(contract), .update, links: ["team": [.known(team)]]))
        try pair.save(1, LocalChange(.known(contract), .delete))
        try pair.exchange()
        #expect(pair.rows.allSatisfy { $0[contract]?.links["team"] == [team] })
        try pair.save(1, LocalChange(.known(contract), .update, links: ["team": []]))
        try pair.exchange()
        #expect(pair.rows.allSatisfy { $0[contract] != nil && $0[contract]?.links["team"] == [] })
    }

    @Test("greatest and least compare texts by scalars, data by bytes and numbers by value (SYNC-05)")
    func valuesAreOrdered() {
        let ordered: [[SyncValue]] = [
            [.null, .string(""), .string("100"), .string("20"), .string("Z"), .string("a"), .string("é")],
            [.data([]), .data([1, 2, 3]), .data([2]), .data([255])],
            [.float(.nan), .float(-.infinity), .float(-2), .float(-1), .float(0.5), .float(100)],
            [.double(-1e300), .double(-2), .double(1.5), .double(2), .double(1e18)],
            [.int(.min), .int(-1), .int(0), .int(2), .int(300), .int(.max)],
            [.int(1), .double(1.5), .int(2), .decimal(Decimal(string: "2.5") ?? 0), .float(3)],
            [.date(-63_114_076_800), .date(-1), .date(0.5), .date(700_000_000)],
        ]
        for values in ordered {
            for (index, value) in values.enumerated() {
                #expect(values[..<index].allSatisfy { $0.isLess(than: value) && !value.isLess(than: $0) })
            }
        }
    }
}
