/// The chunks that transactions and a baseline wait for, by what waits.
struct LackingChunks: Sendable {
    private var byTransaction: [TransactionID: Set<ChunkDigest>] = [:]
    /// Whose baseline is taken when its chunks are here: its parts are in the state.
    private(set) var sender: PeerID?
    /// The chunks that the baseline names, whether they are here or not.
    private(set) var namedByBaseline: [LargeValue.Chunk] = []
    private var ofBaseline: Set<ChunkDigest> = []

    var isEmpty: Bool { byTransaction.isEmpty && ofBaseline.isEmpty }

    /// The transactions that lack chunks.
    var transactions: [TransactionID] { byTransaction.keys.sorted() }

    func lacks(_ id: TransactionID) -> Bool { byTransaction[id] != nil }

    func chunks(of id: TransactionID) -> Set<ChunkDigest> { byTransaction[id] ?? [] }

    mutating func set(_ digests: Set<ChunkDigest>, of id: TransactionID) {
        byTransaction[id] = digests.isEmpty ? nil : digests
    }

    mutating func remove(_ id: TransactionID) { byTransaction[id] = nil }

    func contains(_ digest: ChunkDigest) -> Bool {
        ofBaseline.contains(digest) || byTransaction.values.contains { $0.contains(digest) }
    }

    mutating func arrived(_ digest: ChunkDigest) {
        ofBaseline.remove(digest)
        for (id, digests) in byTransaction where digests.contains(digest) {
            byTransaction[id]?.remove(digest)
            if digests.count == 1 { byTransaction[id] = nil }
        }
    }

    // MARK: Baselines

    /// Lets a baseline wait, of which all parts are in the state.
    mutating func wait(
        withBaselineOf sender: PeerID, _ chunks: [LargeValue.Chunk], for digests: Set<ChunkDigest>
    ) {
        self.sender = sender
        namedByBaseline = chunks
        ofBaseline = digests
    }

    /// Whether the chunks of the baseline that waited are here.
    var isBaselineComplete: Bool { sender != nil && ofBaseline.isEmpty }

    mutating func dropBaseline() {
        sender = nil
        namedByBaseline = []
        ofBaseline = []
    }

    /// The baseline's chunks that are not here.
    func chunksOfBaseline() -> [LargeValue.Chunk] {
        namedByBaseline.filter { ofBaseline.contains($0.digest) }
    }
}

extension SyncEngine {
    /// The chunks that are waited for, each once, the first transactions first.
    package var missingChunks: [LargeValue.Chunk] {
        guard !waiting.lacking.isEmpty else { return [] }
        var known: Set<ChunkDigest> = []
        var missing: [LargeValue.Chunk] = []
        for id in waiting.lacking.transactions {
            let lacking = waiting.lacking.chunks(of: id)
            for chunk in waiting[id]?.chunks ?? [] where lacking.contains(chunk.digest) {
                if known.insert(chunk.digest).inserted { missing.append(chunk) }
            }
        }
        for chunk in waiting.lacking.chunksOfBaseline() where known.insert(chunk.digest).inserted {
            missing.append(chunk)
        }
        return missing
    }

    /// All chunks that what waits names, whether they are here or not: they are kept until it is applied.
    package var awaitedChunks: Set<ChunkDigest> {
        var awaited: Set<ChunkDigest> = []
        for transaction in waiting.all { for chunk in transaction.chunks { awaited.insert(chunk.digest) } }
        for chunk in waiting.lacking.namedByBaseline { awaited.insert(chunk.digest) }
        return awaited
    }

    /// Whether compaction has something to forget for the sake of large values: transactions with chunks that all peers have, or chunks that
    /// nothing has named for a time.
    package func hasChunksToForget(_ storage: any SyncStorage, at now: UInt64) throws -> Bool {
        let stable = meta.stable
        for entry in try storage.entries(withPrefix: [StateKey.chunkedLog]) where entry.key.count == 9 {
            let number = Int(StateKey.number(entry.key[1..<3]))
            guard number < meta.peers.peers.count else { continue }
            let id = TransactionID(meta.peers.peers[number], StateKey.number(entry.key[3...]))
            if stable.covers(id), !meta.floor.covers(id) { return true }
        }
        return try storage.entries(withPrefix: [StateKey.idleChunk]).contains { entry in
            var reader = ByteReader(entry.value ?? [])
            let since = try reader.number()
            return since <= now && now - since >= configuration.chunkGrace
        }
    }
}
