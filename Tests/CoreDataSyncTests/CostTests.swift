import CoreDataSync
import SyncSimulator
import Testing

@Suite("What sync costs")
struct CostTests {
    private func configuration() throws -> SyncConfiguration {
        SyncConfiguration(schema: try SimulatedModel.schema(version: 1))
    }

    private func item(_ number: Int, of owner: LocalObject) -> LocalChange {
        LocalChange(
            .new(number), .insert(entity: "Item"), values: ["title": .string("item")], links: ["owner": [owner]])
    }

    /// The entries that are read when an item is added to a person who has some, and when a peer applies that.
    private func reads(with count: Int) throws -> [Int] {
        var pair = try EnginePair([configuration(), configuration()])
        let changes = [LocalChange(.new(0), .insert(entity: "Person"))] + (1...count).map { item($0, of: .new(0)) }
        try pair.handle(.saved(changes, at: pair.now), 0)
        let person = try #require(pair.assigned[0])
        try pair.exchange()
        var reads: [Int] = []
        let counting = CountingStorage(pair.states[0])
        let effects = try pair.engines[0].handle(.saved([item(1, of: .known(person))], at: pair.now), counting)
        reads.append(counting.count)
        for case .send(let frame, _) in effects {
            let other = CountingStorage(pair.states[1])
            _ = try pair.engines[1].handle(.received(frame, at: pair.now), other)
            reads.append(other.count)
        }
        return reads
    }

    @Test("an object is added to one that has many as fast as to one that has few (SYNC-11)")
    func fanInCostsNothing() throws {
        let (few, many) = (try reads(with: 20), try reads(with: 200))
        #expect(few.count == 2 && many.count == 2)
        for (one, other) in zip(few, many) { #expect(Double(other) <= 1.2 * Double(one), "\(few) \(many)") }
    }

    @Test("a changed value has a peer read its object alone, whatever the object is linked to (SYNC-11)")
    func changedValueReadsItsObject() throws {
        var pair = try EnginePair([configuration(), configuration()])
        let changes = [LocalChange(.new(0), .insert(entity: "Person"))] + (1...50).map { item($0, of: .new(0)) }
        try pair.handle(.saved(changes, at: pair.now), 0)
        let person = try #require(pair.assigned[0])
        try pair.exchange()
        let change = LocalChange(.known(person), .update, values: ["name": .string("another")])
        let counting = CountingStorage(pair.states[0])
        let effects = try pair.engines[0].handle(.saved([change], at: pair.now), counting)
        #expect(counting.count <= 4, "\(counting.count)")
        for case .send(let frame, _) in effects {
            let other = CountingStorage(pair.states[1])
            let answers = try pair.engines[1].handle(.received(frame, at: pair.now), other)
            #expect(other.count <= 4, "\(other.count)")
            guard case .commit(let plan)? = answers.first, case .update(let row)? = plan.rows.first else {
                Issue.record("the change was not applied")
                continue
            }
            #expect(plan.rows.count == 1 && row.values == ["name": .string("another")] && row.links.isEmpty)
        }
    }

    /// What 1,000 changes of single values take after so many earlier ones: bytes of frames, and entries that both peers read.
    private func exchanged(after earlier: Int) throws -> (bytes: [Int], reads: Int, log: Double) {
        var pair = try EnginePair([configuration(), configuration()])
        let insertions = (0..<100).map {
            LocalChange(.new($0), .insert(entity: "Item"), values: ["title": .string("a")])
        }
        try pair.handle(.saved(insertions, at: pair.now), 0)
        let objects = pair.assigned.values.sorted()
        try pair.exchange()
        var (bytes, reads): ([Int], Int) = ([], 0)
        for number in 0..<earlier + 1_000 {
            pair.now += 1_000
            let change = LocalChange(
                .known(objects[number % 100]), .update, values: ["title": .string("title \(number)")])
            let counting = CountingStorage(pair.states[0])
            var effects = try pair.engines[0].handle(.saved([change], at: pair.now), counting)
            pair.perform(effects, 0)
            let frames = pair.outboxes[0]
            pair.outboxes[0] = []
            let other = CountingStorage(pair.states[1])
            for frame in frames {
                effects = try pair.engines[1].handle(.received(frame, at: pair.now), other)
                pair.perform(effects, 1)
            }
            pair.outboxes[1] = []
            guard number >= earlier else { continue }
            bytes += frames.map(\.count)
            reads += counting.count + other.count
        }
        try pair.exchange()
        for index in 0...1 { try pair.handle(.compact, index) }
        let live = pair.states[0].entries(withPrefix: Array("o".utf8)).reduce(0) { $0 + ($1.value?.count ?? 0) }
        let log = pair.states[0].entries(withPrefix: Array("t".utf8)).reduce(0) { $0 + ($1.value?.count ?? 0) }
        return (bytes.sorted(), reads, Double(log) / Double(live))
    }

    @Test("changes take no more after many earlier ones, few bytes each, and the log ends with a compaction (SYNC-11)")
    func pastCostsNothing() throws {
        let (few, many) = (try exchanged(after: 200), try exchanged(after: 2_000))
        #expect(few.bytes.count == 1_000 && many.bytes.count == 1_000)
        #expect(Double(many.bytes.reduce(0, +)) <= 1.2 * Double(few.bytes.reduce(0, +)))
        #expect(Double(many.reads) <= 1.2 * Double(few.reads))
        // A frame for a single change has a head, two peers, a checksum and the text.
        #expect(many.bytes[500] <= 70, "\(many.bytes[500])")
        #expect(many.log <= 2)
    }

    @Test("a changed attribute takes at most 40 bytes in an exchange of many, at the median")
    func changesAreShort() throws {
        var pair = try EnginePair([configuration(), configuration()])
        let insertions = (0..<1_000).map {
            LocalChange(.new($0), .insert(entity: "Person"), values: ["name": .string("a"), "lowest": .int(1)])
        }
        try pair.handle(.saved(insertions, at: pair.now), 0)
        let objects = pair.assigned.values.sorted()
        try pair.exchange()
        pair.outboxes[0] = []
        let changes = objects.enumerated().map { number, object in
            LocalChange(
                .known(object), .update,
                values: ["name": .string("name \(number)"), "lowest": .int(Int64(number + 1_000_000))])
        }
        try pair.handle(.saved(changes, at: pair.now + 1), 0)
        let size = pair.outboxes[0].reduce(0) { $0 + $1.count }
        #expect(size > 0 && size <= 2_000 * 40, "\(size)")
    }

    @Test("a list to whose beginning one after the other is added keeps places of one step")
    func prependingIsShort() throws {
        var pair = try EnginePair([configuration(), configuration()])
        try pair.save(0, LocalChange(.new(0), .insert(entity: "Team")))
        let team = try #require(pair.assigned[0])
        var members: [ObjectIdentity] = []
        var sizes: [Int] = []
        for _ in 0..<60 {
            pair.outboxes[0] = []
            try pair.save(
                0, LocalChange(.new(1), .insert(entity: "Person"), links: ["team": [.known(team)]]),
                LocalChange(.known(team), .update, links: ["members": [.new(1)] + members.map { .known($0) }]))
            members.insert(try #require(pair.assigned[1]), at: 0)
            sizes.append(pair.outboxes[0].reduce(0) { $0 + $1.count })
        }
        #expect(pair.rows[0][team]?.links["members"] == members)
        #expect(sizes[59] <= sizes[1] + 8, "\(sizes)")
        try pair.exchange()
        #expect(pair.rows[1][team]?.links["members"] == members)
    }
}

/// A storage that counts the entries that are read.
private final class CountingStorage: SyncStorage {
    private let storage: MemoryStorage
    private(set) var count = 0

    init(_ storage: MemoryStorage) { self.storage = storage }

    func value(for key: [UInt8]) -> [UInt8]? {
        count += 1
        return storage.value(for: key)
    }

    func entries(withPrefix prefix: [UInt8]) -> [StateEntry] {
        let entries = storage.entries(withPrefix: prefix)
        count += entries.count + 1
        return entries
    }

    func entries(withPrefix prefix: [UInt8], after key: [UInt8]?, atMost limit: Int) -> [StateEntry] {
        let entries = storage.entries(withPrefix: prefix, after: key, atMost: limit)
        count += entries.count + 1
        return entries
    }
}
