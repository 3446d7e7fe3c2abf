import CoreDataSync
import SyncSimulator
import Testing

@Suite("Stores that wait for each other")
struct PatienceTests {
    @Test("what a store saved before it went on without a baseline, and after, reaches a member that was away")
    func savesOfResumedStoreAreAccepted() throws {
        let configuration = SyncConfiguration(schema: try SimulatedModel.schema(version: 1))
        var pair = try EnginePair([configuration, configuration])
        func save(_ text: String) throws {
            try pair.save(0, LocalChange(.new(1), .insert(entity: "Witness"), values: ["text": .string(text)]))
        }
        try save("one")
        try pair.exchange()
        try pair.reopen(0, pair.states[0], pair.rows[0], highWater: 1_000)
        try save("two")
        // The member is away; only another store that waits is heard.
        for _ in 0..<25 {
            pair.now += 60_000
            try pair.handle(.tick(at: pair.now, spare: PeerID(pair.now)), 0)
            let rival = Greeting(
                sender: PeerID(500), former: PeerID(400), applied: VersionVector(), wantsAnswer: true)
            try pair.handle(.received(SyncFrame.encode(.greeting(rival)), at: pair.now), 0)
            if pair.engines[0].meta.rebase != nil { pair.outboxes[0] = [] }
        }
        #expect(pair.engines[0].meta.rebase == nil)
        try save("three")
        for _ in 0..<2 { try pair.exchange() }
        let texts = pair.rows[1].values.compactMap { row in
            if case .string(let text) = row.values["text"] { text } else { nil }
        }
        #expect(texts.sorted() == ["one", "three", "two"])
        #expect(pair.rows[0] == pair.rows[1])
        #expect(pair.reports[1].allSatisfy { if case .refusedTransaction = $0 { false } else { true } })
    }
}
