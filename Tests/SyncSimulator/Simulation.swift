import CoreDataSync
import TestBasics

/// A part of the model that users of a simulation change more often than others.
package enum SimulatedFocus: Sendable {
    /// A relationship with a greatest count.
    case clubs
    /// Objects that an edit brings back, and that deny the deletion of others.
    case contracts
    /// An attribute that is merged by a function of the program.
    case words
}

/// What a simulation does, and how often.
package struct SimulationSettings: Sendable {
    package var peers = 3
    package var steps = 60
    /// Of a thousand frames, how many are lost, doubled and late.
    package var lost = 100
    package var doubled = 100
    package var late = 300
    /// The time after which silent peers are retired, in ticks.
    package var silenceLimit: UInt64 = 1 << 40
    package var madClocks = false
    package var copies = false
    /// Whether stores are put back together with what was noted outside of them, so that they do not notice it.
    package var wholeRestores = false
    /// The size of a baseline's parts, in bytes.
    package var partSize = 1 << 20
    package var absence = false
    package var filters = false
    /// Whether users change large values, whose chunks are lost, doubled, late and damaged.
    package var largeValues = false
    /// Whether some peers get large values on demand. Not together with restored stores, whose values may be gone for good.
    package var onDemand = false
    package var upgrades = false
    package var crashes = true
    /// What is wrong with the peers of odd numbers.
    package var fault: SimulatedFault?
    package var recordsFrames = false
    /// What half of all changes are of; it is seldom reached otherwise.
    package var focus: SimulatedFocus?
    private let schemas: [SyncSchema]

    package init() throws { schemas = try SimulatedModel.versions.map { try SimulatedModel.schema(version: $0) } }

    func schema(_ version: Int) throws -> SyncSchema { schemas[version - 1] }

    /// The settings of a seed: each in its own mixture of troubles.
    package static func drawn(from seed: UInt64) throws -> SimulationSettings {
        var random = SeededRandom(seed: seed ^ 0x5EED)
        var settings = try SimulationSettings()
        settings.peers = 2 + random.next(below: random.next(below: 6) == 0 ? 7 : 3)
        settings.steps = 30 + random.next(below: 50)
        settings.lost = [0, 50, 300][random.next(below: 3)]
        settings.doubled = [0, 100][random.next(below: 2)]
        settings.late = [0, 300, 700][random.next(below: 3)]
        settings.madClocks = random.next(below: 3) == 0
        settings.copies = random.next(below: 3) == 0
        settings.absence = random.next(below: 3) == 0
        settings.filters = random.next(below: 4) == 0
        settings.upgrades = random.next(below: 3) == 0
        if settings.absence { settings.silenceLimit = 300 }
        settings.partSize = [1 << 20, 2_000][random.next(below: 2)]
        settings.wholeRestores = settings.copies && random.next(below: 2) == 0
        settings.largeValues = random.next(below: 2) == 0
        settings.onDemand = settings.largeValues && !settings.copies && random.next(below: 3) > 0
        return settings
    }
}

/// Several peers and the network between them, led by one seed: the same seed gives the same run, byte for byte.
package struct Simulation {
    struct Packet {
        let bytes: [UInt8]
        let to: PeerID?
        let from: Int
        let due: UInt64
    }

    package private(set) var peers: [SimulatedPeer] = []
    /// All transactions that were ever sent, for the reference; those of restored stores may have names of earlier ones.
    package private(set) var transactions = SentTransactions()
    /// The texts of all saves that must not be lost.
    package private(set) var witnesses: Set<String> = []
    /// Those of saves that a restored backup may have undone.
    package private(set) var doubtfulWitnesses: Set<String> = []
    /// Those of saves in stores that did not notice that they were restored: peers that had applied different ones of equal names may
    /// have them twice.
    package private(set) var repeatedWitnesses: Set<String> = []
    package private(set) var faults: [String] = []
    /// A checksum over all frames, by which two runs are compared.
    package private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    /// All frames that were sent, if the settings ask for them.
    package private(set) var frames: [[UInt8]] = []
    private var random: SeededRandom
    private var users: SimulatedUserSource
    /// Decides which chunks are damaged.
    private var damage: SeededRandom
    /// Decides when large values are asked for.
    private var demand: SeededRandom
    private let settings: SimulationSettings
    private let identities: IdentitySource
    private var packets: [Packet] = []
    private var partition: Set<Int> = []
    private var backups: [Int: SimulatedBackup] = [:]
    private var restored: Set<Int> = []
    private var now: UInt64 = 1_700_000_000_000
    private var saves = 0
    private var witnessesOf: [Int: Set<String>] = [:]

    package init(seed: UInt64, _ settings: SimulationSettings) throws {
        random = SeededRandom(seed: seed)
        users = SimulatedUserSource(random: SeededRandom(seed: seed &+ 1), settings: settings)
        if settings.largeValues { users.portraits = PortraitUser(random: SeededRandom(seed: seed &+ 3)) }
        damage = SeededRandom(seed: seed &+ 4)
        demand = SeededRandom(seed: seed &+ 5)
        identities = IdentitySource(seed: seed &+ 2)
        self.settings = settings
        for index in 0..<settings.peers {
            var part: Set<String>?
            if settings.filters, index > 0, random.next(below: 2) == 0 {
                part = ["Person", "Witness", "Item", "Badge", "Club"]
            }
            var peer = SimulatedPeer("p\(index)", version: 1, part: part, settings, identities)
            peer.getsValuesOnDemand = settings.onDemand && index % 2 == 1
            if settings.madClocks { peer.skew = [0, -86_400_000_000, 31_536_000_000, 5][random.next(below: 4)] }
            if index > 0, random.next(below: 2) == 0 { save(index, &peer) }
            try peer.begin(index == 0 ? .founding : .joining, at: now)
            peers.append(peer)
            try event(index) { peer, now in try peer.capture(at: now) }
        }
    }

    // MARK: Steps

    /// Runs the steps, and then lets all peers come to rest.
    package mutating func run() throws {
        for _ in 0..<settings.steps where faults.isEmpty { try step() }
        if faults.isEmpty { try settle() }
    }

    private mutating func step() throws {
        now += 10
        let index = random.next(below: peers.count)
        let choice = random.next(below: 100)
        if peers[index].engine == nil, choice < 80 { return try event(index) { try $0.open(at: $1) } }
        switch choice {
        case 0..<45: try saveAndCapture(index)
        case 45..<70: if !peers[index].isAway { try event(index) { try $0.tick(at: $1) } }
        case 70..<74: try event(index) { peer, _ in try peer.compact() }
        case 74..<78:
            partition =
                random.next(below: 2) == 0 ? [] : Set((0..<peers.count).filter { _ in random.next(below: 2) == 0 })
        case 78..<82: if settings.crashes { peers[index].crash() }
        case 82..<85: if settings.upgrades { try upgrade(index) }
        case 85..<88: try copyOrRestore(index)
        case 88..<91: if settings.absence, index > 0 { peers[index].isAway.toggle() }
        case 91..<93:
            if settings.madClocks {
                peers[index].skew = Int64(random.next(below: 2_000_000_000_000)) - 1_000_000_000_000
            }
        default: break
        }
        if settings.onDemand, demand.next(below: 10) == 0 { try event(index) { try $0.fetch(at: $1) } }
        try deliver()
    }

    private mutating func save(_ index: Int, _ peer: inout SimulatedPeer) {
        saves += 1
        let witness = "\(saves)"
        witnesses.insert(witness)
        witnessesOf[index, default: []].insert(witness)
        if restored.contains(index) { repeatedWitnesses.insert(witness) }
        peer.save(&users, witness)
    }

    private mutating func saveAndCapture(_ index: Int) throws {
        var peer = peers[index]
        save(index, &peer)
        peers[index] = peer
        // The process may end between the commit of the save and that of the state.
        if settings.crashes, random.next(below: 20) == 0 { return peers[index].crash() }
        try event(index) { try $0.capture(at: $1) }
    }

    private mutating func upgrade(_ index: Int) throws {
        peers[index].crash()
        try event(index) { try $0.open(version: 2, at: $1) }
    }

    private mutating func copyOrRestore(_ index: Int) throws {
        // A copy of a store that has not joined yet has the same rows under no identity: both copies would add them.
        guard settings.copies, peers[index].store.history.isEmpty, peers[index].isTakingPart else { return }
        if let backup = backups[index], random.next(below: 2) == 0 {
            let undone = (witnessesOf[index] ?? []).subtracting(backup.witnesses)
            doubtfulWitnesses.formUnion(undone)
            let isWhole = settings.wholeRestores && random.next(below: 2) == 0
            if isWhole {
                restored.insert(index)
                // Others that forgot how the last of them were named may have had other ones of these names.
                repeatedWitnesses.formUnion(backup.witnesses)
            }
            peers[index].restore(backup, isWhole: isWhole)
            backups[index] = nil
        } else if random.next(below: 2) == 0 || peers.count > 7 {
            backups[index] = SimulatedBackup(peers[index], witnesses: witnessesOf[index] ?? [])
        } else {
            peers.append(peers[index].copied("p\(peers.count)"))
            witnessesOf[peers.count - 1] = []
            try event(peers.count - 1) { try $0.open(at: $1) }
        }
    }

    // MARK: Network

    private mutating func event(_ index: Int, _ body: (inout SimulatedPeer, UInt64) throws -> Void) throws {
        let now = now
        try body(&peers[index], now)
        faults += peers[index].faults
        let outbox = peers[index].outbox
        peers[index].outbox = []
        for frame in outbox { try send(frame.bytes, frame.to, from: index) }
    }

    private mutating func send(_ bytes: [UInt8], _ to: PeerID?, from index: Int) throws {
        digest = (digest ^ UInt64(SyncFrame.checksum(bytes))) &* 0x0000_0100_0000_01B3
        if settings.recordsFrames { frames.append(bytes) }
        // Frames of other kinds, by the byte after the version, need not be decoded.
        if bytes[5] == 1, case .transactions(let sent) = try SyncFrame.decode(bytes) {
            for transaction in sent {
                let isNew = transactions.insert(transaction)
                if !isNew, restored.isEmpty { faults.append("two transactions are \(transaction.id)") }
            }
        }
        for receiver in peers.indices where receiver != index && (to == nil || peers[receiver].identity == to) {
            guard random.next(below: 1_000) >= settings.lost else { continue }
            let copies = random.next(below: 1_000) < settings.doubled ? 2 : 1
            for _ in 0..<copies {
                let delay = random.next(below: 1_000) < settings.late ? UInt64(random.next(below: 200)) : 0
                packets.append(Packet(bytes: bytes, to: peers[receiver].identity, from: index, due: now + delay))
            }
        }
    }

    private mutating func deliver() throws {
        let due = packets.filter { $0.due <= now }
        packets.removeAll { $0.due <= now }
        for packet in due {
            for index in peers.indices where peers[index].identity == packet.to {
                guard !peers[index].isAway, !peers[packet.from].isAway, peers[index].engine != nil,
                    partition.contains(index) == partition.contains(packet.from)
                else { continue }
                let isFaulty = index % 2 == 1
                var bytes = try isFaulty ? settings.fault?.altered(packet.bytes) ?? packet.bytes : packet.bytes
                if bytes[5] == 5, damage.next(below: 5) == 0 { bytes = try SimulatedChunks.damaged(bytes) }
                try event(index) { try $0.receive(bytes, at: $1) }
            }
        }
    }

    // MARK: Rest

    /// Heals everything, and lets the peers greet each other until nothing changes any more.
    private mutating func settle() throws {
        partition = []
        for index in peers.indices {
            peers[index].isAway = false
            if settings.upgrades || peers[index].getsValuesOnDemand { peers[index].crash() }
            peers[index].getsValuesOnDemand = false
            if peers[index].engine == nil {
                let version = settings.upgrades ? 2 : nil
                try event(index) { try $0.open(version: version, at: $1) }
            }
        }
        var calm = 0
        var rounds = 0
        while calm < 7, faults.isEmpty {
            let before = peers.map { $0.engine?.meta.applied }
            for index in 0..<peers.count { try event(index) { try $0.tick(at: $1) } }
            now += 50
            for _ in 0..<3 { try deliver() }
            if rounds % 2 == 1 { for index in peers.indices { try event(index) { peer, _ in try peer.compact() } } }
            let isCalm =
                before == peers.map { $0.engine?.meta.applied }
                && peers.allSatisfy { $0.engine?.meta.rebase == nil && !$0.keepsIdleChunks && !$0.lacksValues }
            calm = isCalm && rounds > 12 ? calm + 1 : 0
            rounds += 1
            if rounds > 400 {
                faults.append("the peers do not come to rest")
            }
        }
    }
}
