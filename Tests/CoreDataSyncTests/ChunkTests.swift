import CoreDataSync
import SyncSimulator
import Testing

@Suite("Chunks at the engine")
struct ChunkTests {
    private let contents: [[UInt8]] = [[1, 2, 3], [4, 5]]

    private func pair() throws -> EnginePair {
        var configuration = SyncConfiguration(schema: try SimulatedModel.schema(version: 1))
        configuration.digest = SimulatedChunks.digest
        configuration.greatestValueSize = 1_000
        return try EnginePair([configuration, configuration])
    }

    private func value(_ sizes: [Int]? = nil) throws -> SyncValue {
        let chunks = try contents.enumerated().map { index, content in
            LargeValue.Chunk(
                digest: try #require(SimulatedChunks.digest(content)), size: sizes?[index] ?? content.count)
        }
        return .large(LargeValue(.data, chunks: chunks))
    }

    private func person(_ value: SyncValue, named name: String = "Ann") -> LocalChange {
        LocalChange(.new(1), .insert(entity: "Person"), values: ["name": .string(name), "portrait": value])
    }

    /// Saves a person whose portrait has the chunks, and gives the other engine the transaction alone.
    private func waiting(_ sizes: [Int]? = nil) throws -> EnginePair {
        var pair = try pair()
        for content in contents {
            let digest = try #require(SimulatedChunks.digest(content))
            pair.states[0].apply(try ChunkTable.entries(digest, content, at: pair.now))
        }
        try pair.handle(.saved([person(value(sizes))], at: pair.now), 0)
        for frame in pair.outboxes[0] { try pair.handle(.received(frame, at: pair.now), 1) }
        pair.outboxes[0] = []
        return pair
    }

    private func chunk(_ content: [UInt8]) -> [UInt8] { SyncFrame.encode(.chunk(content)) }

    @Test("a transaction waits for its chunks, asks for them, and is applied with the last one (SYNC-11)")
    func transactionsWait() throws {
        var pair = try waiting()
        #expect(pair.rows[1].isEmpty && pair.engines[1].waiting.count == 1)
        #expect(pair.engines[1].missingChunks.map(\.size) == [3, 2])
        let requests = try pair.outboxes[1].map { try SyncFrame.decode($0) }
        #expect(requests.contains { if case .wantedChunks(let digests) = $0 { digests.count == 2 } else { false } })
        try pair.handle(.received(chunk(contents[1]), at: pair.now), 1)
        #expect(pair.rows[1].isEmpty && pair.engines[1].missingChunks.map(\.size) == [3])
        try pair.handle(.received(chunk(contents[0]), at: pair.now), 1)
        #expect(try pair.rows[1].values.map { $0.values["portrait"] } == [value()])
        #expect(pair.engines[1].missingChunks.isEmpty)
        for index in 0...1 { #expect(try pair.engines[index].chunkFaults(pair.states[index]) == []) }
    }

    @Test("a chunk that nothing waits for, or of other bytes, is not kept (HAZ-58)")
    func otherChunksAreIgnored() throws {
        var pair = try waiting()
        let before = pair.states[1].count
        for content in [[1, 2, 4], [1, 2, 3, 0], [UInt8](repeating: 0, count: 262_144)] as [[UInt8]] {
            try pair.handle(.received(chunk(content), at: pair.now), 1)
        }
        try pair.handle(.chunks([[UInt8](repeating: 0, count: 262_145)], at: pair.now), 1)
        #expect(pair.states[1].count == before && pair.engines[1].missingChunks.count == 2)
    }

    @Test("a transaction that names other sizes than its chunks have is refused for good (HAZ-58)")
    func wrongSizesAreRefused() throws {
        var pair = try waiting([3, 1])
        for content in contents { try pair.handle(.received(chunk(content), at: pair.now), 1) }
        #expect(pair.rows[1].isEmpty && pair.engines[1].waiting.isEmpty)
        let isRefused = pair.reports[1].contains { if case .refusedTransaction = $0 { true } else { false } }
        #expect(isRefused)
    }

    @Test("a value that is too large is left out once, and what is saved with it and after it is sent (SYNC-11)")
    func tooLargeValuesAreLeftOut() throws {
        var pair = try pair()
        let large = SyncValue.data([UInt8](repeating: 1, count: 2_000))
        try pair.handle(.saved([person(large)], at: pair.now), 0)
        let object = try #require(pair.assigned[1])
        #expect(try pair.engines[0].unsentValues(pair.states[0]).map(\.object) == [object])
        let reports = pair.reports[0].filter { if case .valueTooLarge = $0 { true } else { false } }
        #expect(reports.count == 1)
        pair.rows[0][object] = SyncRow(object, entity: "Person", values: ["portrait": large])
        let again = LocalChange(.known(object), .update, values: ["portrait": large, "name": .string("Eve")])
        try pair.handle(.saved([again], at: pair.now), 0)
        #expect(pair.reports[0].count { if case .valueTooLarge = $0 { true } else { false } } == 1)
        // The plan leaves the row's own value alone.
        try pair.exchange()
        #expect(pair.rows[0][object]?.values["portrait"] == large)
        #expect(pair.rows[1][object]?.values["name"] == .string("Eve"))
        #expect(pair.rows[1][object]?.values["portrait"] == .null)

        // A value of the other peer takes its place.
        let other = LocalChange(.known(object), .update, values: ["portrait": .data([7])])
        try pair.handle(.saved([other], at: pair.now), 1)
        try pair.exchange()
        #expect(try pair.engines[0].unsentValues(pair.states[0]).isEmpty)
        #expect(pair.rows[0][object]?.values["portrait"] == .data([7]))
    }
}
