import CRawBaseline
import CoreDataSync
import Foundation

/// The engine beside pycrdt on the same edits of 1,000 objects of ten integers: processor time of both peers, and bytes.
///
/// `BENCH_PYCRDT` names a Python with pycrdt, which works by `Benchmarks/Peers/pycrdt_peer.py`; without it there are no rows. Both sides
/// are in memory: what a store costs is in the other rows.
enum SyncBesidePycrdt {
    static let all = [
        Benchmark("YC", size: 10_000) { count, _ in
            guard let python = ProcessInfo.processInfo.environment["BENCH_PYCRDT"], !python.isEmpty else { return [] }
            return try [100, 1].flatMap { portion in
                let theirs = try figures(python, count, portion)
                let ours = try exchange(count, portion)
                let title = "\(count) edits of 1,000 objects, \(portion) an exchange"
                return [
                    Row(
                        name: "YC  \(title), by pycrdt", value: (ours.making + ours.applying) / (theirs[0] + theirs[1]),
                        bar: 1,
                        measurement: Measurement(
                            ours: Sample(seconds: ours.making + ours.applying),
                            raw: Sample(seconds: theirs[0] + theirs[1]))),
                    Row(
                        name: "YC bytes  \(title): \(ours.bytes), by pycrdt: \(Int(theirs[2]))",
                        value: Double(ours.bytes) / theirs[2], bar: 1),
                ]
            }
        }
    ]

    private static func figures(_ python: String, _ count: Int, _ portion: Int) throws -> [Double] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["Benchmarks/Peers/pycrdt_peer.py", "1000", String(count), String(portion)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let figures = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard figures.count == 3 else { throw Failure("pycrdt gives '\(text)'") }
        return figures
    }

    private static func exchange(_ count: Int, _ portion: Int) throws -> (making: Double, applying: Double, bytes: Int)
    {
        var peers = try Peers()
        var result = (making: 0.0, applying: 0.0, bytes: 0)
        for first in stride(from: 0, to: count, by: portion) {
            let changes = (first..<min(first + portion, count)).map { number in
                LocalChange(
                    .known(peers.objects[number % peers.objects.count]), .update,
                    values: ["a3": .int(Int64(1_000_000 + number))])
            }
            var start = clock()
            let frames = try peers.handle(.saved(changes, at: peers.now()), 0)
            result.making += seconds(since: start)
            result.bytes += frames.reduce(0) { $0 + $1.count }
            start = clock()
            for frame in frames { _ = try peers.handle(.received(frame, at: peers.now()), 1) }
            result.applying += seconds(since: start)
        }
        return result
    }

    private static func seconds(since start: clock_t) -> Double { Double(clock() - start) / Double(CLOCKS_PER_SEC) }

    /// Two engines in memory that have the same objects.
    private struct Peers {
        private var engines: [SyncEngine] = []
        private var states = [MemoryStorage(), MemoryStorage()]
        private(set) var objects: [ObjectIdentity] = []
        private var time: UInt64 = 1_700_000_000_000

        init() throws {
            let attributes = ItemStore.attributeNames.map {
                SyncAttribute($0, id: SchemaID(entity: "Item", property: $0))
            }
            let entity = SyncEntity("Item", id: SchemaID(entity: "Item"), attributes: attributes)
            let configuration = SyncConfiguration(schema: try SyncSchema(entities: [entity]))
            for index in 0...1 {
                let opening = SyncEngine.Opening(instance: [UInt8(index)], spare: PeerID(UInt64(100 + index)))
                let made = try SyncEngine.make(
                    configuration, index == 0 ? .founding : .joining, identity: PeerID(UInt64(1 + index)),
                    opening: opening, at: time)
                engines.append(made.0)
                _ = perform(made.1, index)
            }
            let values = Dictionary(
                uniqueKeysWithValues: ItemStore.attributeNames.map { ($0, SyncValue.int(7)) })
            let insertions = (0..<1_000).map {
                LocalChange(.new($0), .insert(entity: "Item"), values: values)
            }
            _ = try handle(.saved(insertions, at: now()), 0)
            for round in 0..<4 {
                time += 60_000
                for index in 0...1 {
                    let frames = try handle(.tick(at: time, spare: PeerID(UInt64(200 + 2 * round + index))), index)
                    for frame in frames { try deliver(frame, 1 - index) }
                }
            }
            guard objects.count == 1_000, engines[1].meta.rebase == nil else { throw Failure("the engines differ") }
        }

        private mutating func deliver(_ frame: [UInt8], _ index: Int) throws {
            for answer in try handle(.received(frame, at: time), index) { try deliver(answer, 1 - index) }
        }

        mutating func now() -> UInt64 {
            time += 1
            return time
        }

        /// Gives an event to an engine and keeps what it wants kept; returns the frames that it sends.
        mutating func handle(_ event: SyncEvent, _ index: Int) throws -> [[UInt8]] {
            perform(try engines[index].handle(event, states[index]), index)
        }

        private mutating func perform(_ effects: [SyncEffect], _ index: Int) -> [[UInt8]] {
            var frames: [[UInt8]] = []
            for effect in effects {
                switch effect {
                case .commit(let plan): states[index].apply(plan.state)
                case .assigned(let identities): objects = identities.values.sorted()
                case .send(let frame, _): frames.append(frame)
                case .transactions, .give, .take, .wake, .report: continue
                }
            }
            return frames
        }
    }
}
