import CoreDataSync
import SyncSimulator
import Testing

@Suite("Baselines in parts")
struct BaselineTests {
    private static let count = 1_500
    private static let start: UInt64 = 1_700_000_000_000

    private static func configuration() throws -> SyncConfiguration {
        var configuration = SyncConfiguration(schema: try SimulatedModel.schema(version: 1))
        configuration.leavesFrames = true
        configuration.partSize = 20_000
        return configuration
    }

    /// An engine with many objects, and the frames of a baseline for a peer that joins it.
    private static func given() throws -> (rows: [ObjectIdentity: SyncRow], frames: [[UInt8]]) {
        var storage = MemoryStorage()
        var (engine, effects) = try SyncEngine.make(
            try configuration(), .founding, identity: PeerID(1),
            opening: SyncEngine.Opening(instance: [1], spare: PeerID(101)), at: start)
        func write(_ effects: [SyncEffect]) { for case .commit(let plan) in effects { storage.apply(plan.state) } }
        write(effects)
        var changes = [LocalChange(.new(0), .insert(entity: "Team"), values: ["code": .string("t")])]
        for number in 1...count {
            changes.append(
                LocalChange(
                    .new(number), .insert(entity: "Person"),
                    values: ["name": .string("person \(number)"), "email": .string("\(number)")]))
        }
        changes[0].links["members"] = (1...count).reversed().map { .new($0) }
        write(try engine.handle(.saved(changes, at: start), storage))
        let joining = SyncEngine.Opening(instance: [2], spare: PeerID(102))
        let (_, greeting) = try SyncEngine.make(
            try configuration(), .joining, identity: PeerID(2), opening: joining, at: start)
        var joiner = MemoryStorage()
        for case .commit(let plan) in greeting { joiner.apply(plan.state) }
        let opened = try SyncEngine.open(try configuration(), joiner, joining, at: start)
        var peer = opened.0
        var frames: [[UInt8]] = []
        for case .send(let hello, _) in try peer.handle(.tick(at: start + 1, spare: PeerID(5)), joiner) {
            effects = try engine.handle(.received(hello, at: start + 2), storage)
            write(effects)
            for case .give(_, let former) in effects {
                try engine.makeBaseline(former: former, storage) { frame, _ in frames.append(frame) }
            }
        }
        return (try engine.rows(storage), frames)
    }

    private static func joiner() throws -> (engine: SyncEngine, storage: GrowingStorage) {
        let (engine, effects) = try SyncEngine.make(
            try configuration(), .joining, identity: PeerID(2),
            opening: SyncEngine.Opening(instance: [2], spare: PeerID(102)), at: start)
        let storage = GrowingStorage(MemoryStorage())
        for case .commit(let plan) in effects { storage.apply(plan.state) }
        return (engine, storage)
    }

    @Test("parts arrive in any order and twice, and a join that breaks off goes on with those that are there")
    func joinGoesOn() throws {
        let (rows, frames) = try Self.given()
        try #require(frames.count > 10)
        #expect(frames.allSatisfy { $0.count < 25_000 })
        var (engine, storage) = try Self.joiner()
        var taken: PeerID?
        for frame in frames.reversed() + [frames[3]] {
            // The process ends after each part.
            engine = try SyncEngine.open(
                try Self.configuration(), storage, SyncEngine.Opening(instance: [2], spare: PeerID(103)),
                at: Self.start
            ).0
            for effect in try engine.handle(.received(frame, at: Self.start), storage) {
                if case .commit(let plan) = effect { storage.apply(plan.state) }
                if case .take(let sender) = effect { taken = sender }
            }
            if taken != nil { break }
        }
        let sender = try #require(taken)
        let present = storage.entries(withPrefix: [])
        // What breaks off leaves nothing, since all plans are committed together, and begins again.
        var broken = engine
        #expect(throws: Broken.self) {
            var left = 4
            _ = try broken.takeBaseline(from: sender, GrowingStorage(storage), at: Self.start) { _ in
                left -= 1
                if left == 0 { throw Broken() }
            }
        }
        #expect(storage.entries(withPrefix: []) == present)
        _ = try engine.takeBaseline(from: sender, storage, at: Self.start) { storage.apply($0.state) }
        #expect(try engine.rows(storage) == rows)
        #expect(storage.entries(withPrefix: Array("p".utf8)).isEmpty)
    }

    @Test("a baseline is taken in plans whose size does not grow with the store")
    func plansAreBounded() throws {
        let (rows, frames) = try Self.given()
        var (engine, storage) = try Self.joiner()
        var taken: PeerID?
        for frame in frames {
            for effect in try engine.handle(.received(frame, at: Self.start), storage) {
                if case .commit(let plan) = effect { storage.apply(plan.state) }
                if case .take(let sender) = effect { taken = sender }
            }
        }
        var (greatest, inserted, announced) = (0, Set<ObjectIdentity>(), Set<ObjectIdentity>())
        var lists: [SyncRow] = []
        _ = try engine.takeBaseline(from: try #require(taken), storage, at: Self.start) { plan in
            storage.apply(plan.state)
            greatest = max(greatest, plan.rows.count)
            announced.formUnion(plan.announced.map(\.object))
            for change in plan.rows {
                switch change {
                case .insert(let row):
                    #expect(inserted.insert(row.id).inserted)
                    #expect(row.links.values.joined().allSatisfy { announced.contains($0) })
                case .update(let row): lists.append(row)
                default: Issue.record("\(change)")
                }
            }
        }
        #expect(greatest <= 500)
        #expect(inserted == Set(rows.keys) && announced == inserted)
        // A list comes when all of its members have rows.
        #expect(lists.map { $0.links["members"]?.count } == [Self.count])
    }
}

private struct Broken: Error {}
