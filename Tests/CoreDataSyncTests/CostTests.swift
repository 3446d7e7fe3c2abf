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
}
