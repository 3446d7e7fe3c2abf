/// The chunks that transactions and a baseline wait for, by what waits.
struct LackingChunks: Sendable {
    private var byTransaction: [TransactionID: Set<ChunkDigest>] = [:]
    /// A whole baseline that is taken when its chunks are here.
    private(set) var baseline: Baseline?
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

    mutating func wait(with baseline: Baseline, for digests: Set<ChunkDigest>) {
        self.baseline = baseline
        ofBaseline = digests
    }

    /// The baseline if its chunks are here; it waits no longer then.
    mutating func takeWholeBaseline() -> Baseline? {
        guard ofBaseline.isEmpty else { return nil }
        defer { baseline = nil }
        return baseline
    }

    mutating func dropBaseline() {
        baseline = nil
        ofBaseline = []
    }

    /// The baseline's chunks that are not here.
    func chunksOfBaseline() -> [LargeValue.Chunk] {
        guard let baseline, !ofBaseline.isEmpty else { return [] }
        return baseline.objects.flatMap(\.record.chunks).filter { ofBaseline.contains($0.digest) }
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
        for object in waiting.lacking.baseline?.objects ?? [] {
            for chunk in object.record.chunks { awaited.insert(chunk.digest) }
        }
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
