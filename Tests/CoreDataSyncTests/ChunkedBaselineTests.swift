import CoreDataSync
import SyncSimulator
import Testing

@Suite("Baselines that name chunks")
struct ChunkedBaselineTests {
    private static let count = 60
    private static let start: UInt64 = 1_700_000_000_000

    private static func configuration(partSize: Int = 2_000) throws -> SyncConfiguration {
        var configuration = SyncConfiguration(schema: try SimulatedModel.schema(version: 1))
        configuration.digest = SimulatedChunks.digest
        configuration.leavesFrames = true
        configuration.partSize = partSize
        return configuration
    }

    /// A store with an engine, and what the engine asks the caller for.
    private struct Store {
        var engine: SyncEngine
        let storage = GrowingStorage(MemoryStorage())
        let number: UInt64
        let partSize: Int
        var reports: [SyncReport] = []
        var sent: [SyncMessage] = []
        var given: [(frame: [UInt8], chunks: [LargeValue.Chunk])] = []
        var takenCount = 0

        init(_ number: UInt64, _ beginning: SyncEngine.Beginning, partSize: Int) throws {
            (self.number, self.partSize) = (number, partSize)
            let opening = SyncEngine.Opening(instance: [UInt8(number)], spare: PeerID(100 + number))
            let (engine, effects) = try SyncEngine.make(
                try configuration(partSize: partSize), beginning, identity: PeerID(number), opening: opening, at: start)
            self.engine = engine
            try perform(effects)
        }

        /// Ends the process and opens the store again.
        mutating func reopen() throws {
            let opening = SyncEngine.Opening(instance: [UInt8(number)], spare: PeerID(200 + number))
            let opened = try SyncEngine.open(try configuration(partSize: partSize), storage, opening, at: start)
            engine = opened.0
            try perform(opened.1)
        }

        mutating func handle(_ event: SyncEvent) throws {
            let effects = try engine.handle(event, storage)
            try perform(effects)
        }

        mutating func tick(_ time: UInt64) throws { try handle(.tick(at: start + time, spare: PeerID(1_000 + time))) }

        mutating func receive(_ frame: [UInt8]) throws { try handle(.received(frame, at: start + 2)) }

        private mutating func perform(_ effects: [SyncEffect]) throws {
            for effect in effects {
                switch effect {
                case .commit(let plan): storage.apply(plan.state)
                case .send(let bytes, _): sent.append(try SyncFrame.decode(bytes))
                case .report(let report): reports.append(report)
                case .give(_, let former):
                    try engine.makeBaseline(former: former, storage) { given.append(($0, $1)) }
                case .take(let sender):
                    takenCount += 1
                    try perform(
                        try engine.takeBaseline(from: sender, storage, at: start + 3) { storage.apply($0.state) })
                case .assigned, .transactions, .wake: continue
                }
            }
        }

        /// Has a person with a portrait of two chunks, of which one is the same for all.
        mutating func insert(_ numbers: Range<Int>, sizes: Int = 0) throws {
            var changes: [LocalChange] = []
            for number in numbers {
                var chunks: [LargeValue.Chunk] = []
                for content in contents(number) {
                    let digest = try #require(SimulatedChunks.digest(content))
                    if try !ChunkTable.contains(digest, storage) {
                        storage.apply(try ChunkTable.entries(digest, content, at: start))
                    }
                    chunks.append(LargeValue.Chunk(digest: digest, size: content.count + sizes))
                }
                changes.append(
                    LocalChange(
                        .new(number), .insert(entity: "Person"),
                        values: [
                            "name": .string("person \(number)"), "email": .string("\(self.number)-\(number)"),
                            "portrait": .large(LargeValue(.data, chunks: chunks)),
                        ]))
            }
            try handle(.saved(changes, at: start))
        }

        var rows: [ObjectIdentity: SyncRow] { get throws { try engine.rows(storage) } }
        var hasParts: Bool { !storage.entries(withPrefix: Array("p".utf8)).isEmpty }
        var asked: Int {
            sent.reduce(0) { if case .wantedChunks(let digests) = $1 { $0 + digests.count } else { $0 } }
        }
    }

    private static func contents(_ number: Int) -> [[UInt8]] {
        [[9, 9, 9], (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }]
    }

    private static func chunks(_ numbers: Range<Int>) -> [[UInt8]] {
        [contents(0)[0]] + numbers.map { contents($0)[1] }
    }

    /// A store with persons, and one that joined it and has not read the baseline.
    private static func stores(partSize: Int = 2_000, sizes: Int = 0) throws -> (first: Store, second: Store) {
        var first = try Store(1, .founding, partSize: partSize)
        try first.insert(0..<count, sizes: sizes)
        var second = try Store(2, .joining, partSize: partSize)
        try give(&first, &second)
        return (first, second)
    }

    /// Lets one store make a baseline for another that asks.
    private static func give(_ first: inout Store, _ second: inout Store, at time: UInt64 = 100_000) throws {
        second.sent = []
        try second.tick(time)
        first.given = []
        for message in second.sent { try first.receive(SyncFrame.encode(message)) }
        try #require(!first.given.isEmpty)
    }

    @Test("a baseline in parts waits for its chunks, over the end of the process too (SYNC-11)")
    func waitsForChunks() throws {
        var (first, second) = try Self.stores()
        try #require(first.given.count > 5)
        #expect(Set(first.given.flatMap(\.chunks)).count == Self.count + 1)
        #expect(first.given.allSatisfy { !$0.chunks.isEmpty && $0.chunks.count < Self.count })
        for part in first.given.reversed() {
            #expect(second.engine.missingChunks.isEmpty)
            try second.receive(part.frame)
        }
        #expect(second.engine.missingChunks.count == Self.count + 1 && second.asked > 0)
        #expect(try second.takenCount == 0 && second.rows.isEmpty)

        let chunks = Self.chunks(0..<Self.count)
        for number in 0..<4 {
            try second.reopen()
            #expect(second.engine.missingChunks.isEmpty)
            second.sent = []
            try second.tick(UInt64(number + 1) * 1_000_000)
            let lacking = chunks.count - 10 * number
            #expect(second.engine.missingChunks.count == lacking && second.asked > 0)
            #expect(second.engine.awaitedChunks.count == chunks.count)
            try second.handle(.chunks(Array(chunks[(10 * number)..<(10 * number + 10)]), at: Self.start))
        }
        // A chunk that nothing names is not kept.
        try second.handle(.chunks([[1]], at: Self.start))
        #expect(second.engine.missingChunks.count == chunks.count - 40 && second.takenCount == 0)
        try second.handle(.chunks(Array(chunks[40...]), at: Self.start))
        #expect(second.takenCount == 1 && second.engine.meta.rebase == nil && !second.hasParts)
        #expect(try second.rows == first.rows)
        #expect(try second.engine.chunkFaults(second.storage) == [])
        #expect(try second.engine.idleChunkCount(second.storage) == 0)
        #expect(second.engine.missingChunks.isEmpty && second.engine.awaitedChunks.isEmpty)
    }

    @Test("chunks that a save brought count as here at the next tick")
    func ownChunksCount() throws {
        var (first, second) = try Self.stores()
        for part in first.given { try second.receive(part.frame) }
        for content in Self.chunks(0..<Self.count) {
            let digest = try #require(SimulatedChunks.digest(content))
            second.storage.apply(try ChunkTable.entries(digest, content, at: Self.start))
        }
        try second.tick(2_000_000)
        #expect(try second.takenCount == 1 && second.rows == first.rows)
        #expect(try second.engine.chunkFaults(second.storage) == [])
        // It says what it has when it took the baseline, not before.
        guard case .greeting(let greeting)? = second.sent.last else { throw Unexpected() }
        #expect(!greeting.applied.isEmpty)
        #expect(try first.engine.chunkFaults(first.storage) == [])
    }

    @Test(
        "a store with objects of its own waits in the same way, and counts all chunks (SYNC-11)",
        arguments: [2_000, 1 << 20])
    func ownObjectsAreMerged(partSize: Int) throws {
        var (first, second) = try Self.stores(partSize: partSize)
        try second.insert(100..<105)
        for part in first.given { try second.receive(part.frame) }
        // The chunk that all share is here already.
        #expect(second.engine.missingChunks.count == Self.count)
        try second.reopen()
        try second.tick(2_000_000)
        #expect(second.engine.missingChunks.count == Self.count && second.hasParts)
        try second.handle(.chunks(Self.chunks(0..<Self.count), at: Self.start))
        #expect(second.takenCount == 0 && second.engine.meta.rebase == nil && !second.hasParts)
        #expect(try second.rows.count == Self.count + 5)
        #expect(try second.engine.chunkFaults(second.storage) == [])
    }

    @Test("a baseline of one part that lacks chunks waits over the end of the process")
    func onePartWaits() throws {
        var (first, second) = try Self.stores(partSize: 1 << 20)
        try #require(first.given.count == 1)
        try second.receive(first.given[0].frame)
        try second.reopen()
        try second.tick(2_000_000)
        #expect(second.engine.missingChunks.count == Self.count + 1)
        try second.handle(.chunks(Self.chunks(0..<Self.count), at: Self.start))
        #expect(try second.rows == first.rows)
        #expect(try second.engine.chunkFaults(second.storage) == [] && !second.hasParts)
    }

    @Test("a newer baseline of the sender takes the place of one that waits")
    func newerBaselineWins() throws {
        var (first, second) = try Self.stores()
        for part in first.given { try second.receive(part.frame) }
        try second.handle(.chunks(Array(Self.chunks(0..<20)), at: Self.start))
        let older = first.given
        try first.insert(Self.count..<(Self.count + 10))
        try Self.give(&first, &second, at: 2_000_000)
        try second.receive(first.given[0].frame)
        #expect(second.engine.missingChunks.isEmpty)
        try second.receive(older[1].frame)
        for part in first.given.dropFirst() { try second.receive(part.frame) }
        #expect(second.engine.missingChunks.count == Self.count - 20 + 10)
        // One of the older one changes nothing.
        try second.receive(older[0].frame)
        #expect(second.engine.missingChunks.count == Self.count - 20 + 10)
        try second.handle(.chunks(Self.chunks(20..<(Self.count + 10)), at: Self.start))
        #expect(try second.rows == first.rows && second.rows.count == Self.count + 10)
        #expect(try second.engine.chunkFaults(second.storage) == [] && !second.hasParts)
    }

    @Test("a baseline that names other sizes than its chunks have is dropped (HAZ-58)", arguments: [2_000, 1 << 20])
    func wrongSizesAreRefused(partSize: Int) throws {
        var (first, second) = try Self.stores(partSize: partSize, sizes: 1)
        for part in first.given { try second.receive(part.frame) }
        #expect(second.engine.missingChunks.count == Self.count + 1)
        try second.handle(.chunks(Self.chunks(0..<Self.count), at: Self.start))
        #expect(try second.rows.isEmpty && !second.hasParts && second.engine.missingChunks.isEmpty)
        #expect(second.engine.meta.rebase != nil)
        #expect(second.reports.contains { if case .invalidState = $0 { true } else { false } })
    }

    @Test("what a joined store forgets and keeps of chunks is right at compaction (SYNC-11)")
    func chunksAreForgotten() throws {
        var (first, second) = try Self.stores()
        for part in first.given { try second.receive(part.frame) }
        try second.handle(.chunks(Self.chunks(0..<Self.count), at: Self.start))
        let objects = try second.rows.keys.sorted()
        let changes = objects.prefix(10).map { LocalChange(.known($0), .update, values: ["portrait": .null]) }
        try second.handle(.saved(Array(changes), at: Self.start + 10))
        #expect(try second.engine.chunkFaults(second.storage) == [])
        #expect(try second.engine.idleChunkCount(second.storage) == 10)
        try second.tick(90_000_000)
        try second.handle(.compact)
        #expect(try second.engine.idleChunkCount(second.storage) == 0)
        #expect(try second.engine.chunkFaults(second.storage) == [])
    }
}

private struct Unexpected: Error {}
