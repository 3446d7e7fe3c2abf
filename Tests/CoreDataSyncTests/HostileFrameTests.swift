import CoreDataSync
import SyncSimulator
import TestBasics
import Testing

@Suite("Hostile frames", .timeLimit(.minutes(2)))
struct HostileFrameTests {
    private let author = PeerID(7)
    private let time = HybridTime(milliseconds: 1_700_000_000_000)

    private func pair() throws -> EnginePair {
        let configuration = SyncConfiguration(schema: try SimulatedModel.schema(version: 1))
        return try EnginePair([configuration, configuration])
    }

    /// A transaction that a member's next one could be, by the state of the first engine.
    private func next(_ pair: EnginePair, carrying origin: TransactionID) throws -> SyncTransaction {
        let member = pair.engines[1].meta.identity
        let id = TransactionID(member, pair.engines[0].meta.applied[member] + 1)
        return SyncTransaction(
            id, time: HybridTime(milliseconds: pair.now), carried: .init(origin, seen: VersionVector()), operations: [],
            previous: pair.engines[0].meta.heads[member]?.digest ?? 0)
    }

    @Test("sequences and offsets of more than 48 bits are refused (HAZ-58)")
    func greatNumbersAreRefused() throws {
        for sequence: UInt64 in [.max, 1 << 48, (1 << 48) - 1] {
            let id = TransactionID(author, sequence)
            let small = TransactionID(author, 1)
            let place = ListPosition(steps: [
                .init(isLeft: false, run: .init(small, 0), offset: Int64(min(sequence, .max >> 2)) / 2)
            ])
            let link = SyncLink(
                relationship: SchemaID(rawValue: 1), source: ObjectIdentity(small, 0), target: ObjectIdentity(small, 1),
                replacesTargets: false, replacesSources: false, sourcePosition: place, targetPosition: nil)
            let messages: [SyncMessage] = [
                .transactions([SyncTransaction(id, time: time, operations: [])]),
                .transactions([SyncTransaction(small, time: time, dependencies: [id], operations: [])]),
                .transactions([
                    SyncTransaction(small, time: time, carried: .init(id, seen: VersionVector()), operations: [])
                ]),
                .transactions([SyncTransaction(small, time: time, operations: [.delete(ObjectIdentity(id, 0))])]),
                .transactions([SyncTransaction(small, time: time, operations: [.link(link)])]),
                .greeting(Greeting(sender: author, applied: VersionVector([author: sequence]), wantsAnswer: true)),
            ]
            for message in messages {
                let frame = SyncFrame.encode(message)
                if sequence < 1 << 48 {
                    #expect(try SyncFrame.decode(frame) == message)
                } else {
                    #expect(throws: FormatError.self) { try SyncFrame.decode(frame) }
                }
            }
        }
    }

    @Test("a transaction that carries one of a member is refused")
    func originsOfMembersAreRefused() throws {
        var pair = try pair()
        let own = pair.engines[0].meta.identity
        let before = pair.engines[0].meta.applied[own]
        let hostile = try next(pair, carrying: TransactionID(own, 1_000))
        try pair.handle(.received(SyncFrame.encode(.transactions([hostile])), at: pair.now), 0)
        #expect(pair.engines[0].meta.applied[own] == before)
        #expect(pair.reports[0].contains(.refusedTransaction(hostile.id)))
    }

    @Test("a gap of trillions of transactions costs nothing")
    func gapsCostNothing() throws {
        var pair = try pair()
        let gap = try next(pair, carrying: TransactionID(author, TransactionID.greatestSequence))
        let frame = SyncFrame.encode(.transactions([gap]))
        for index in 0...1 { try pair.handle(.received(frame, at: pair.now), index) }
        #expect(pair.engines[0].meta.applied[author] == TransactionID.greatestSequence)
        let greeting = Greeting(
            sender: pair.engines[1].meta.identity, applied: VersionVector([author: 1]), wantsAnswer: true)
        try pair.handle(.received(SyncFrame.encode(.greeting(greeting)), at: pair.now), 0)
        try pair.handle(.compact, 0)
        try pair.exchange()
        #expect(pair.rows[0] == pair.rows[1])
    }

    @Test("peers beyond those that a state can number are refused, and the others go on")
    func peersAreBounded() throws {
        var pair = try pair()
        func greeting(_ range: Range<UInt64>) -> [UInt8] {
            let applied = VersionVector(Dictionary(uniqueKeysWithValues: range.map { (PeerID($0), 1) }))
            return SyncFrame.encode(.greeting(Greeting(sender: author, applied: applied, wantsAnswer: true)))
        }
        #expect(throws: FormatError.self) { try SyncFrame.decode(greeting(1_000..<70_000)) }
        for start in stride(from: 1_000 as UInt64, to: 200_000, by: 1_000) {
            let member = pair.engines[1].meta.identity
            let id = TransactionID(member, pair.engines[0].meta.applied[member] + 1)
            let seen = VersionVector(Dictionary(uniqueKeysWithValues: (start..<start + 1_000).map { (PeerID($0), 1) }))
            let hostile = SyncTransaction(
                id, time: HybridTime(milliseconds: pair.now),
                carried: .init(TransactionID(PeerID(start), 1), seen: seen),
                operations: [.create(ordinal: 0, entity: SchemaID(entity: "Item"))],
                previous: pair.engines[0].meta.heads[member]?.digest ?? 0)
            try pair.handle(.received(SyncFrame.encode(.transactions([hostile])), at: pair.now), 0)
        }
        #expect(pair.engines[0].meta.peers.peers.count <= PeerTable.greatestCount)
        #expect(pair.reports[0].contains { if case .refusedBytes = $0 { true } else { false } })
        let item = LocalChange(.new(1), .insert(entity: "Item"), values: ["title": .string("lamp")])
        try pair.save(0, item)
        #expect(pair.rows[0].values.contains { $0.values["title"] == .string("lamp") })
    }

    @Test("small items that would take many times the memory of their bytes are refused (HAZ-58)")
    func itemsAreBounded() throws {
        let object = ObjectIdentity(TransactionID(author, 1), 0)
        let attribute = SchemaID(entity: "Hero", property: "name")
        func frame(_ operations: [SyncOperation]) -> [UInt8] {
            SyncFrame.encode(
                .transactions([SyncTransaction(TransactionID(author, 1), time: time, operations: operations)]))
        }
        let nulls = SyncOperation.set(object, attribute, .array([SyncValue](repeating: .null, count: 60_000)))
        #expect(throws: Never.self) { try SyncFrame.decode(frame([nulls])) }
        for hostile in [
            [nulls, nulls, nulls], [SyncOperation](repeating: .unknown(tag: 99, bytes: []), count: 200_000),
        ] {
            #expect { try SyncFrame.decode(frame(hostile)) } throws: { ($0 as? FormatError)?.reason == .tooManyItems }
        }
        let deletions = (0..<200_000 as Range<UInt32>).map { SyncOperation.delete(ObjectIdentity(object.creation, $0)) }
        #expect(throws: Never.self) { try SyncFrame.decode(frame(deletions)) }
    }
}
