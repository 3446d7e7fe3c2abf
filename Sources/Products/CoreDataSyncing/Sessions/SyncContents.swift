import CoreDataSync

/// What a transport has of each peer.
public struct SyncContents: Sendable, Hashable, Codable {
    /// What is there of one peer.
    public struct Peer: Sendable, Hashable, Codable {
        /// How the peer takes part.
        public enum State: String, Sendable, Codable {
            /// It is this store.
            case own
            /// It takes part.
            case member
            /// It takes part no longer.
            case forgotten
            /// It is not known here.
            case unknown
        }

        /// The 16 digits of its identity.
        public let identity: String
        /// How it takes part.
        public let state: State
        /// How many items it has written that are there.
        public internal(set) var items = 0
        /// The bytes of its logs: items with transactions.
        public internal(set) var logBytes = 0
        /// The bytes of whole states that it wrote for peers which begin.
        public internal(set) var stateBytes = 0
        /// The bytes of all other items.
        public internal(set) var otherBytes = 0

        /// The bytes of all its items.
        public var bytes: Int { logBytes + stateBytes + otherBytes }
    }

    /// What carries the items.
    public let transport: String
    /// The peers, by identity.
    public internal(set) var peers: [Peer] = []
    /// The names of items whose names do not say who wrote them.
    public internal(set) var otherItems: [String] = []
    /// The bytes of all items.
    public internal(set) var bytes = 0
}

extension SyncSession {
    /// What the transport has of each peer, by the names of the items.
    ///
    /// - Throws: `SyncError` with the codes `transport` and `notJoined`, and errors of the store.
    public func contents() async throws -> SyncContents {
        try await reading { transaction, session in
            guard let meta = transaction.engine?.meta else { throw SyncError.notJoined }
            return try session.contents(meta)
        }
    }

    private func contents(_ meta: SyncMeta) throws -> SyncContents {
        var contents = SyncContents(transport: place.title)
        var peers: [PeerID: SyncContents.Peer] = [:]
        for item in try place.items() {
            contents.bytes += item.size
            guard let writer = ItemNames.writer(item.name) else {
                contents.otherItems.append(item.name)
                continue
            }
            var peer = peers[writer] ?? SyncContents.Peer(identity: writer.description, state: Self.state(writer, meta))
            peer.items += 1
            switch ItemNames.kind(item.name) {
            case .transactions: peer.logBytes += item.size
            case .baseline: peer.stateBytes += item.size
            default: peer.otherBytes += item.size
            }
            peers[writer] = peer
        }
        contents.otherItems.sort()
        contents.peers = peers.sorted { $0.key < $1.key }.map(\.value)
        return contents
    }

    private static func state(_ peer: PeerID, _ meta: SyncMeta) -> SyncContents.Peer.State {
        if peer == meta.identity || peer == meta.nextIdentity { return .own }
        if meta.retired[peer] != nil { return .forgotten }
        return meta.members[peer] != nil ? .member : .unknown
    }

    /// Removes from the transport what a peer wrote that takes part no longer, or never did.
    ///
    /// What others lack of it and this store has is written once more, as an item of this store. What no other has read is lost.
    ///
    /// - Parameter peer: The 16 digits of its identity.
    /// - Returns: The bytes that were removed.
    /// - Throws: `SyncError` with the code `unknownItem` if the peer takes part, and what ``exchange(comparing:)`` throws.
    @discardableResult public func removeItems(of peer: String) async throws -> Int {
        try await perform { session in
            let meta = try session.store.transaction { $0.engine?.meta }
            guard let id = PeerID(peer) else { throw SyncError.unknownPeer(peer) }
            guard let meta, [.forgotten, .unknown].contains(Self.state(id, meta)) else {
                throw SyncError(
                    .unknownItem, "Peer '\(peer)' takes part: what it wrote is not removed.",
                    cure: "Let it take part no longer first: 'coredata sync forget'.")
            }
            try session.exchangeNow()
            var removed = 0
            for item in try session.place.items() where ItemNames.writer(item.name) == id {
                try session.place.remove(item.name)
                removed += item.size
            }
            try session.exchangeNow()
            return removed
        }
    }
}
