import CoreDataSync
import SyncSimulator
import Testing

@Suite("Bounds of frames and memory")
struct BoundTests {
    private func configuration() throws -> SyncConfiguration {
        SyncConfiguration(schema: try SimulatedModel.schema(version: 1))
    }

    private func people(_ count: Int) -> [LocalChange] {
        (1...count).map { number in
            LocalChange(
                .new(number), .insert(entity: "Person"), values: ["name": .string("person \(number)")])
        }
    }

    @Test("transactions that arrive in the worst order are applied within the bound of those that wait (HAZ-58)")
    func waitingTransactionsAreBounded() throws {
        var bounded = try configuration()
        bounded.waitingCount = 20
        var pair = try EnginePair([configuration(), bounded])
        for _ in 0..<100 { try pair.handle(.saved(people(1), at: pair.now), 0) }
        let frames = pair.outboxes[0]
        pair.outboxes[0] = []
        for frame in frames.reversed() {
            try pair.handle(.received(frame, at: pair.now), 1)
            #expect(pair.engines[1].waiting.count <= 20)
        }
        #expect(pair.reports[1].contains(.tooManyWaiting))
        #expect(pair.rows[1].count > 10)
        try pair.exchange()
        #expect(pair.rows[1].count == 100 && pair.engines[1].waiting.isEmpty)
    }

    @Test("a save that is larger than a transaction may be travels as several")
    func largeSavesAreDivided() throws {
        var small = try configuration()
        small.transactionSize = 4_000
        var pair = try EnginePair([small, configuration()])
        let author = pair.engines[0].meta.identity
        let before = pair.engines[0].meta.applied[author]
        try pair.handle(.saved(people(300), at: pair.now), 0)
        #expect(pair.engines[0].meta.applied[author] > before + 3)
        try pair.exchange()
        #expect(pair.rows[1].count == 300)
        #expect(Set(pair.rows[1].values.map { $0.values["name"] }).count == 300)
    }

    @Test("a baseline travels in parts within their bound, in any order and doubled (SYNC-11)")
    func baselinesTravelInParts() throws {
        var parted = try configuration()
        parted.partSize = 2_000
        var pair = try EnginePair([parted, configuration()])
        try pair.handle(.saved(people(300), at: pair.now), 0)
        try pair.exchange()
        for index in 0...1 { try pair.handle(.compact, index) }
        try pair.reopen(1, pair.states[1], pair.rows[1], highWater: 1_000)
        var parts: [[UInt8]] = []
        for _ in 0..<6 where parts.isEmpty {
            pair.now += 60_000
            for index in 0...1 {
                try pair.handle(.tick(at: pair.now, spare: PeerID(pair.now)), index)
                for frame in pair.outboxes[index] {
                    if case .baseline = try SyncFrame.decode(frame) { parts.append(frame) }
                    if parts.isEmpty { try pair.handle(.received(frame, at: pair.now), 1 - index) }
                }
                pair.outboxes[index] = []
            }
        }
        #expect(parts.count > 5 && parts.allSatisfy { $0.count < 4_000 })
        for frame in parts.reversed() + parts { try pair.handle(.received(frame, at: pair.now), 1) }
        #expect(pair.engines[1].meta.rebase == nil)
        try pair.exchange()
        let rows = try (0...1).map { try pair.engines[$0].rows(pair.states[$0]) }
        #expect(pair.rows[1].count == 300 && rows[0] == rows[1])
    }
}
