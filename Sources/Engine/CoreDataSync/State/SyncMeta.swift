/// A peer that takes part.
package struct Member: Hashable, Sendable {
    package let role: PeerRole
    /// The transaction that admitted it.
    package let admission: TransactionID
}

/// What a peer knows of itself and others: one entry of the store's state.
package struct SyncMeta: Hashable, Sendable {
    static let key: [UInt8] = [StateKey.meta]
    private static let version: UInt8 = 1

    package internal(set) var identity: PeerID
    /// What distinguishes this store from a copy of it: its place, say; a change means that the store was copied.
    package internal(set) var instance: [UInt8] = []
    /// The identities that this store had before.
    package internal(set) var formerIdentities: Set<PeerID> = []
    package internal(set) var clock = HybridClock()
    package internal(set) var applied = VersionVector()
    /// For each author what its last applied transaction builds on.
    package internal(set) var dependencies: [PeerID: VersionVector] = [:]
    /// The last transaction of each author that was applied here.
    package internal(set) var heads: [PeerID: TransactionHead] = [:]
    /// What each peer is known to have, as far as this one has it too.
    package internal(set) var acknowledged: [PeerID: VersionVector] = [:]
    package internal(set) var members: [PeerID: Member] = [:]
    /// The peers that take part no longer, with a transaction that retired them.
    package internal(set) var retired: [PeerID: TransactionID] = [:]
    /// Whether the store waits for a baseline, under which its own transactions are written once more.
    package internal(set) var rebase: Rebase?
    /// The sequence of the last own transaction when the store was first opened since a member was heard: what it wrote from then on no
    /// other may have, if the store is a restored one.
    package internal(set) var openedAt: UInt64 = 0
    /// Whether a member was heard since then.
    package internal(set) var wasMemberHeard = true
    /// The transactions that are no longer in the log.
    package internal(set) var floor = VersionVector()
    /// The time of the last tick, and for how long nothing was heard of each member, in milliseconds.
    package internal(set) var lastTick: UInt64 = 0
    package internal(set) var silence: [PeerID: UInt64] = [:]
    /// Members that lack what is no longer in the log here, with the time at which that was noticed.
    package internal(set) var lagging: [PeerID: UInt64] = [:]
    /// Members whose logs no longer have what is missing here, with the time at which that was noticed.
    package internal(set) var missedSince: [PeerID: UInt64] = [:]
    /// The digest of the schema by which objects were last shown.
    package internal(set) var fingerprint: UInt32 = 0
    package internal(set) var peers = PeerTable()

    /// A store that waits for a baseline.
    package struct Rebase: Hashable, Sendable {
        /// The identity until now, which must not be used again; nil for a new store, and for a copy, whose original goes on under it.
        package let former: PeerID?
        /// The first transaction of the former identity that is written once more although the baseline has one of that number;
        /// `UInt64.max` for none.
        package let first: UInt64
        /// How many identities for afterwards were retired before a baseline came.
        package internal(set) var attempts: UInt8 = 0
    }

    init(identity: PeerID) { self.identity = identity }

    /// The identity by which others know the peer: while it waits for a baseline, the one that it takes with it.
    package var nextIdentity: PeerID {
        guard let rebase else { return identity }
        return (0...rebase.attempts).reduce(identity) { identity, _ in identity.successor }
    }

    /// The digests of the last transactions of authors.
    var digests: [PeerID: UInt32] {
        heads.filter { applied[$0.key] == $0.value.sequence }.mapValues(\.digest)
    }

    /// What every member that takes part has, and may hence be forgotten.
    ///
    /// A retired member counts until all others know that it was retired: until then they accept what it writes.
    package var stable: VersionVector { known { $0 != identity && !isKnownToBeRetired($0) } }

    /// Whether there were other members, and all of them were retired.
    var isLeftAlone: Bool { !retired.isEmpty && members.keys.allSatisfy { $0 == identity || retired[$0] != nil } }

    /// What every member but some has that was not retired.
    func stable(without excluded: Set<PeerID>) -> VersionVector {
        known { $0 != identity && !excluded.contains($0) && retired[$0] == nil }
    }

    /// What is here and at the members that are chosen.
    private func known(by isChosen: (PeerID) -> Bool) -> VersionVector {
        var known = applied
        for member in members.keys where isChosen(member) {
            known.formIntersection(acknowledged[member] ?? VersionVector())
        }
        return known
    }

    private func isKnownToBeRetired(_ member: PeerID) -> Bool {
        guard let retirement = retired[member] else { return false }
        return members.keys.allSatisfy { other in
            other == identity || retired[other] != nil || acknowledged[other]?.covers(retirement) == true
        }
    }
}

extension SyncMeta {
    /// The bytes of the entry; the peers that it names get numbers.
    mutating func encoded() -> [UInt8] {
        var writer = ByteWriter(peers: peers)
        writer.write(peer: identity)
        writer.write(bytes: instance)
        writer.write(formerIdentities)
        writer.write(number: clock.last.rawValue)
        writer.write(applied)
        writer.write(dependencies)
        writer.write(heads)
        writer.write(acknowledged)
        writer.write(members)
        writer.write(retired)
        writer.write(byte: rebase.map { $0.former == nil ? 1 : 2 } ?? 0)
        if let rebase {
            if let former = rebase.former { writer.write(peer: former) }
            writer.write(number: rebase.first)
            writer.write(byte: rebase.attempts)
        }
        writer.write(number: openedAt)
        writer.write(byte: wasMemberHeard ? 1 : 0)
        writer.write(floor)
        writer.write(number: lastTick)
        writer.write(times: silence)
        writer.write(fixed: UInt64(fingerprint), count: 4)
        writer.write(times: lagging)
        writer.write(times: missedSince)
        peers = writer.peers
        var whole = ByteWriter()
        whole.write(byte: Self.version)
        whole.write(count: peers.peers.count)
        for peer in peers.peers { whole.write(fixed: peer.rawValue, count: 8) }
        whole.write(raw: writer.bytes)
        return whole.bytes
    }

    init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard try reader.byte() == Self.version else { throw reader.error(.newerFormat) }
        for _ in 0..<(try reader.count(ofItemsOf: 8)) { reader.peers.append(PeerID(try reader.fixed(8))) }
        self.init(identity: try reader.peer())
        peers = PeerTable(reader.peers)
        instance = try reader.content()
        formerIdentities = try reader.peerSet()
        clock = HybridClock(last: HybridTime(rawValue: try reader.number()))
        applied = try reader.vector()
        dependencies = try reader.vectors()
        heads = try reader.heads()
        acknowledged = try reader.vectors()
        members = try reader.members()
        retired = try reader.retired()
        let flag = try reader.byte()
        if flag != 0 {
            rebase = Rebase(former: flag == 2 ? try reader.peer() : nil, first: try reader.number())
            rebase?.attempts = try reader.byte()
        }
        openedAt = try reader.number()
        wasMemberHeard = try reader.byte() != 0
        floor = try reader.vector()
        lastTick = try reader.number()
        silence = try reader.times()
        fingerprint = UInt32(truncatingIfNeeded: try reader.fixed(4))
        // Entries of earlier programs end here.
        if reader.remaining > 0 {
            lagging = try reader.times()
            missedSince = try reader.times()
        }
        try reader.finish()
    }
}

extension ByteWriter {
    fileprivate mutating func write(times: [PeerID: UInt64]) {
        write(count: times.count)
        for (peer, time) in times.sorted(by: { $0.key < $1.key }) {
            write(peer: peer)
            write(number: time)
        }
    }

    fileprivate mutating func write(_ peers: Set<PeerID>) {
        write(count: peers.count)
        for peer in peers.sorted() { write(peer: peer) }
    }

    mutating func write(_ members: [PeerID: Member]) {
        write(count: members.count)
        for (peer, member) in members.sorted(by: { $0.key < $1.key }) {
            write(peer: peer)
            write(byte: member.role.rawValue)
            write(member.admission)
        }
    }

    mutating func write(_ retired: [PeerID: TransactionID]) {
        write(count: retired.count)
        for (peer, transaction) in retired.sorted(by: { $0.key < $1.key }) {
            write(peer: peer)
            write(transaction)
        }
    }

    mutating func write(_ heads: [PeerID: TransactionHead]) {
        write(count: heads.count)
        for (peer, head) in heads.sorted(by: { $0.key < $1.key }) {
            write(TransactionID(peer, head.sequence))
            write(fixed: UInt64(head.digest), count: 4)
        }
    }

    fileprivate mutating func write(_ vectors: [PeerID: VersionVector]) {
        write(count: vectors.count)
        for (peer, vector) in vectors.sorted(by: { $0.key < $1.key }) {
            write(peer: peer)
            write(vector)
        }
    }
}

extension ByteReader {
    fileprivate mutating func times() throws -> [PeerID: UInt64] {
        var times: [PeerID: UInt64] = [:]
        for _ in 0..<(try count(ofItemsOf: 2)) { times[try peer()] = try number() }
        return times
    }

    fileprivate mutating func peerSet() throws -> Set<PeerID> {
        var peers: Set<PeerID> = []
        for _ in 0..<(try count()) { peers.insert(try peer()) }
        return peers
    }

    mutating func members() throws -> [PeerID: Member] {
        var members: [PeerID: Member] = [:]
        for _ in 0..<(try count(ofItemsOf: 4)) {
            let peer = try peer()
            guard let role = PeerRole(rawValue: try byte()) else { throw error(.value) }
            members[peer] = Member(role: role, admission: try transaction())
        }
        return members
    }

    mutating func retired() throws -> [PeerID: TransactionID] {
        var retired: [PeerID: TransactionID] = [:]
        for _ in 0..<(try count(ofItemsOf: 3)) { retired[try peer()] = try transaction() }
        return retired
    }

    mutating func heads() throws -> [PeerID: TransactionHead] {
        var heads: [PeerID: TransactionHead] = [:]
        for _ in 0..<(try count(ofObjectsOf: 6)) {
            let id = try transaction()
            heads[id.author] = TransactionHead(sequence: id.sequence, digest: UInt32(truncatingIfNeeded: try fixed(4)))
        }
        return heads
    }

    fileprivate mutating func vectors() throws -> [PeerID: VersionVector] {
        var vectors: [PeerID: VersionVector] = [:]
        for _ in 0..<(try count(ofItemsOf: 2)) { vectors[try peer()] = try vector() }
        return vectors
    }
}
