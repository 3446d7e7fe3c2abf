import CoreDataSync

/// Reads all items of a transport, and sees whether they are whole and of peers that take part.
struct TransportExamination {
    /// How far the time of a transaction may be ahead of the clock, in milliseconds.
    static let greatestLead: UInt64 = 86_400_000

    let transport: any SyncTransport
    let meta: SyncMeta
    let now: UInt64

    /// - Throws: What the transport throws when it lists its items.
    func run(_ found: (SyncFinding) -> Void) throws {
        var ahead: [PeerID: UInt64] = [:]
        for item in try transport.items().sorted(by: { $0.name < $1.name }) {
            do {
                guard item.size <= SyncFrame.greatestSize else { throw FormatError(.tooLarge, at: 0) }
                guard let bytes = try transport.read(item, atMost: SyncFrame.greatestSize) else { continue }
                try examine(try SyncFrame.decode(bytes), item, &ahead, found)
            } catch {
                found(
                    SyncFinding(
                        .unreadableItem, item.name, "The item cannot be read: \(error).",
                        cure:
                            "Its writer writes it again once it is removed; wait first where a program still copies it."
                    ))
            }
        }
        for (peer, lead) in ahead.sorted(by: { $0.key < $1.key }) {
            found(
                SyncFinding(
                    .wrongClock, peer.description,
                    "The clock of peer \(peer) was ahead by \(lead / 86_400_000) days when it wrote.",
                    cure: "Set the clock of that device; what it wrote wins over what others wrote at the same time."))
        }
    }

    private func examine(
        _ message: SyncMessage, _ item: SyncItem, _ ahead: inout [PeerID: UInt64], _ found: (SyncFinding) -> Void
    ) throws {
        var authors: Set<PeerID> = []
        switch message {
        case .transactions(let transactions):
            for transaction in transactions {
                authors.insert(transaction.id.author)
                let time = transaction.time.milliseconds
                guard time > now, time - now > Self.greatestLead else { continue }
                ahead[transaction.id.author] = max(time - now, ahead[transaction.id.author] ?? 0)
            }
        case .greeting(let greeting) where !greeting.applied.isEmpty: authors.insert(greeting.sender)
        case .baseline(let baseline): authors.insert(baseline.sender)
        case .chunk(let content):
            let named = ItemNames.chunk(item.name)
            if let named, named != ChunkDigest.sha256(of: content) { throw FormatError(.checksum, at: 0) }
        case .greeting, .retired, .wantedChunks: break
        }
        // A store that waits for the state knows no peer yet.
        guard meta.rebase == nil else { return }
        for author in authors.sorted() where !isKnown(author) {
            found(
                SyncFinding(
                    .unknownPeer, item.name, "The item is of peer \(author), which does not take part.",
                    cure: "If it is of another group, give each group a folder of its own; else exchange at that peer.")
            )
        }
    }

    private func isKnown(_ peer: PeerID) -> Bool {
        meta.members[peer] != nil || meta.retired[peer] != nil || meta.formerIdentities.contains(peer)
            || peer == meta.nextIdentity || peer == meta.identity
    }
}
