import CoreDataSync
import Foundation
import SyncSimulator
import TestBasics
import Testing

@Suite("Engines of sync")
struct EngineTests {
    private func configuration() throws -> SyncConfiguration {
        SyncConfiguration(schema: try SimulatedModel.schema(version: 1))
    }

    private func person(_ number: Int, _ email: String, _ name: String) -> LocalChange {
        LocalChange(
            .new(number), .insert(entity: "Person"),
            values: ["email": .string(email), "name": .string(name), "score": .int(0)])
    }

    @Test("objects with equal unique values become one, with the values and objects of both (SYNC-09)")
    func equalObjectsBecomeOne() throws {
        var pair = try EnginePair([configuration(), configuration()])
        try pair.save(0, person(1, "a@x", "Ann"))
        let first = try #require(pair.assigned[1])
        try pair.save(1, person(1, "a@x", "Anna"))
        let second = try #require(pair.assigned[1])
        try pair.save(
            1,
            LocalChange(
                .new(2), .insert(entity: "Item"), values: ["title": .string("lamp")], links: ["owner": [.known(second)]]
            ))
        try pair.exchange()
        #expect(pair.rows[0] == pair.rows[1])
        let people = pair.rows[0].values.filter { $0.entity == "Person" }
        #expect(people.map(\.id) == [first] && people.first?.values["name"] == .string("Anna"))
        #expect(pair.rows[0].values.first { $0.entity == "Item" }?.links["owner"] == [first])
        #expect(pair.reports[1].contains(.merged(second, into: first)))
    }

    @Test("why names the writers, the rule, and the value that lost; a later edit settles it (SYNC-08)")
    func whyExplains() throws {
        var pair = try EnginePair([configuration(), configuration()])
        try pair.save(0, person(1, "a@x", "Ann"))
        let object = try #require(pair.assigned[1])
        try pair.exchange()
        try pair.save(0, LocalChange(.known(object), .update, values: ["name": .string("Bea")]))
        try pair.save(1, LocalChange(.known(object), .update, values: ["name": .string("Cleo")]))
        try pair.exchange()
        let why = try #require(try pair.engines[0].why(object, "name", pair.states[0]))
        #expect(why.value == .string("Cleo") && why.rule == .lastWriter)
        #expect(why.candidates.map(\.write.value) == [.string("Bea"), .string("Cleo")])
        #expect(why.candidates.map(\.isShown) == [false, true])
        #expect(try conflicts(pair) == ["\(object) name"])
        try pair.save(0, LocalChange(.known(object), .update, values: ["name": .string("Bea")]))
        try pair.exchange()
        #expect(pair.rows[1][object]?.values["name"] == .string("Bea"))
        #expect(try conflicts(pair) == [])
    }

    private func conflicts(_ pair: EnginePair) throws -> [String] {
        var found: [String] = []
        try pair.engines[1].conflicts(pair.states[1]) { found.append("\($0.object) \($0.attribute.name)") }
        return found
    }

    @Test("the program's corrections travel, and end although they never agree")
    func correctionsTravel() throws {
        var correcting = try configuration()
        correcting.validate = { rows in
            for case .insert(let row) in rows where row.values["name"] == .string("bad") {
                return .corrected([LocalChange(.known(row.id), .update, values: ["name": .string("good")])])
            }
            return .accepted
        }
        var pair = try EnginePair([configuration(), correcting])
        try pair.save(0, person(1, "a@x", "bad"))
        try pair.exchange()
        #expect(pair.rows.map { $0.values.map { $0.values["name"] } } == [[.string("good")], [.string("good")]])
        var endless = try configuration()
        endless.validate = { rows in
            guard let row = rows.compactMap({ change in if case .insert(let row) = change { row } else { nil } }).first,
                case .int(let score) = row.values["score"]
            else { return .accepted }
            return .corrected([LocalChange(.known(row.id), .update, values: ["score": .int(score + 1)])])
        }
        var other = try EnginePair([configuration(), endless])
        try other.save(0, person(1, "a@x", "Ann"))
        try other.exchange()
        #expect(other.reports[1].contains(.endlessCorrections))
        #expect(other.rows[0] == other.rows[1])
    }

    @Test("a merge that the program refuses leaves the store as it was and is tried again")
    func refusedMergeIsKept() throws {
        var refusing = try configuration()
        refusing.validate = { rows in
            let isBad = rows.contains {
                if case .insert(let row) = $0 { row.values["name"] == .string("bad") } else { false }
            }
            return isBad ? .refused("no bad names") : .accepted
        }
        var pair = try EnginePair([configuration(), refusing])
        try pair.save(0, person(1, "a@x", "bad"))
        let object = try #require(pair.assigned[1])
        try pair.exchange()
        #expect(pair.rows[1][object] == nil && pair.engines[1].waiting.count == 1)
        pair.engines[1].configuration.validate = { _ in .accepted }
        try pair.exchange()
        #expect(pair.rows[1][object] != nil && pair.engines[1].waiting.isEmpty)
    }

    @Test("what leaves the part of a store is evicted and lives on elsewhere")
    func partsAreEvicted() throws {
        var partial = try configuration()
        partial.isInPart = { $0.values["name"] != .string("hidden") }
        var pair = try EnginePair([configuration(), partial])
        try pair.save(0, person(1, "a@x", "Ann"))
        let object = try #require(pair.assigned[1])
        try pair.exchange()
        #expect(pair.rows[1][object] != nil)
        try pair.save(0, LocalChange(.known(object), .update, values: ["name": .string("hidden")]))
        try pair.exchange()
        #expect(pair.rows[1][object] == nil && pair.rows[0][object] != nil)
        try pair.save(0, LocalChange(.known(object), .update, values: ["name": .string("back")]))
        try pair.exchange()
        #expect(pair.rows[1][object]?.values["name"] == .string("back"))
    }

    @Test("a reader's writes are refused, taken back and reported")
    func readersDoNotWrite() throws {
        var reader = try configuration()
        reader.role = .reader
        var pair = try EnginePair([configuration(), reader])
        try pair.save(0, person(1, "a@x", "Ann"))
        let object = try #require(pair.assigned[1])
        try pair.exchange()
        pair.rows[1][object]?.values["name"] = .string("Eve")
        try pair.handle(
            .saved([LocalChange(.known(object), .update, values: ["name": .string("Eve")])], at: pair.now), 1)
        #expect(pair.rows[1][object]?.values["name"] == .string("Ann"))
        #expect(pair.reports[1].contains(.refusedWrite(.known(object))))
        try pair.exchange()
        #expect(pair.rows[0][object]?.values["name"] == .string("Ann"))
    }

    @Test("the log and deleted objects are forgotten when all peers have them")
    func historyEnds() throws {
        var pair = try EnginePair([configuration(), configuration()])
        try pair.save(0, person(1, "a@x", "Ann"))
        let object = try #require(pair.assigned[1])
        try pair.exchange()
        let count = pair.states[0].count
        try pair.save(0, LocalChange(.known(object), .delete))
        try pair.exchange()
        for index in 0...1 { try pair.handle(.compact, index) }
        #expect(pair.states[0].count < count)
        #expect(pair.states[0].entries(withPrefix: Array("o".utf8)).isEmpty)
        #expect(pair.states[0].entries(withPrefix: Array("t".utf8)).isEmpty)
    }

    @Test("an object is not forgotten while an edit is under way that had not seen its deletion (SYNC-11)")
    func editsUnderWayAreAwaited() throws {
        var pair = try EnginePair([configuration(), configuration()])
        try pair.save(0, LocalChange(.new(1), .insert(entity: "Team")))
        let team = try #require(pair.assigned[1])
        try pair.exchange()
        try pair.save(1, LocalChange(.new(1), .insert(entity: "Contract"), links: ["team": [.known(team)]]))
        let edit = pair.outboxes[1]
        pair.outboxes[1] = []
        try pair.save(0, LocalChange(.known(team), .delete))
        for frame in pair.outboxes[0] { try pair.handle(.received(frame, at: pair.now), 1) }
        try pair.handle(.tick(at: pair.now, spare: PeerID(77)), 1)
        for frame in pair.outboxes[1] { try pair.handle(.received(frame, at: pair.now), 0) }
        (pair.outboxes[0], pair.outboxes[1]) = ([], [])
        try pair.handle(.compact, 0)
        for frame in edit { try pair.handle(.received(frame, at: pair.now), 0) }
        try pair.exchange()
        #expect(pair.rows[0].values.first { $0.entity == "Contract" }?.links["team"] == [team])
        #expect(pair.rows[0][team] != nil && pair.rows[0] == pair.rows[1])
    }

    @Test("of links of a relationship that is its own inverse those count that are at both ends")
    func ownInverseIsTheSameAtBothEnds() throws {
        var pair = try EnginePair([configuration(), configuration()])
        try pair.save(0, person(1, "a@x", "Ann"), person(2, "b@x", "Bea"), person(3, "c@x", "Cleo"))
        let people = try [1, 2, 3].map { try #require(pair.assigned[$0]) }
        try pair.exchange()
        for (index, partner) in [(0, 0), (1, 2)] {
            try pair.save(
                index, LocalChange(.known(people[1]), .update, links: ["partner": [.known(people[partner])]]),
                LocalChange(.known(people[partner]), .update, links: ["partner": [.known(people[1])]]))
        }
        for (index, friend) in [(0, 0), (1, 2)] {
            try pair.save(
                index, LocalChange(.known(people[1]), .update, links: ["friends": [.known(people[friend])]]),
                LocalChange(.known(people[friend]), .update, links: ["friends": [.known(people[1])]]))
        }
        try pair.exchange()
        #expect(pair.rows[0] == pair.rows[1])
        #expect(people.map { pair.rows[0][$0]?.links["partner"] } == [[], [people[2]], [people[1]]])
        #expect(
            people.map { pair.rows[0][$0]?.links["friends"] } == [[people[1]], [people[0], people[2]], [people[1]]])
    }

    @Test("the same seed gives the same run, byte for byte")
    func runsAreReplayed() throws {
        for seed in TestSeed.first..<TestSeed.first + 5 {
            var digests: Set<UInt64> = []
            for _ in 0..<2 {
                var simulation = try Simulation(seed: seed, try SimulationSettings.drawn(from: seed))
                try simulation.run()
                digests.insert(simulation.digest)
            }
            #expect(digests.count == 1, "CORE_DATA_SEED=\(seed)")
        }
    }

    @Test("a retired member counts for what is forgotten until the others know that it was retired")
    func retirementIsKnownFirst() throws {
        var pair = try EnginePair([configuration(), configuration()])
        let silent = PeerID(50)
        try pair.handle(.admit(silent, .writer, at: pair.now), 0)
        try pair.exchange()
        try pair.save(0, person(1, "a@x", "Ann"))
        let saved = TransactionID(
            pair.engines[0].meta.identity, pair.engines[0].meta.applied[pair.engines[0].meta.identity])
        try pair.exchange()
        #expect(!pair.engines[0].meta.stable.covers(saved))
        try pair.handle(.retire(silent, at: pair.now), 0)
        #expect(!pair.engines[0].meta.stable.covers(saved))
        try pair.exchange()
        #expect(pair.engines[0].meta.stable.covers(saved))
    }

    /// A model whose nodes each deny the deletion of the one before.
    private func chainConfiguration() throws -> SyncConfiguration {
        let node = SchemaID(entity: "Node")
        let pair = SyncRelationship(
            id: SchemaID(entity: "Node", property: "previous"), source: .init(node, "previous"),
            target: .init(node, "following", isToMany: true, deleteRule: .deny))
        return SyncConfiguration(
            schema: try SyncSchema(entities: [SyncEntity("Node", id: node, attributes: [])], relationships: [pair]))
    }

    @Test("a long chain of objects that deny each other's deletion is deleted on a small stack")
    func longChainsTakeNoStack() async throws {
        let configuration = try chainConfiguration()
        let count = 400
        try await onSmallStack {
            var pair = try EnginePair([configuration, configuration])
            let nodes = (0..<count).map { number in
                LocalChange(
                    .new(number), .insert(entity: "Node"), links: ["previous": number == 0 ? [] : [.new(number - 1)]])
            }
            try pair.handle(.saved(nodes, at: pair.now), 0)
            let objects = pair.assigned.values.sorted()
            try pair.exchange()
            #expect(pair.rows[1].count == count)
            try pair.handle(.saved(objects.map { LocalChange(.known($0), .delete) }, at: pair.now), 0)
            try pair.exchange()
            #expect(pair.rows[1].isEmpty)
        }
    }

    private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.stackSize = 192 << 10
            thread.start()
        }
    }
}
