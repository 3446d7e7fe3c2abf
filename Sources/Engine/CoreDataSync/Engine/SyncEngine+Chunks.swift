/// Counts chunks once more, for tests and for people who suspect a damage.
extension SyncEngine {
    /// What is wrong with the chunks of a store's state: it reads all records and the whole log.
    ///
    /// - Returns: Sentences; none if each chunk that is named is here and counted as often as it is named.
    package func chunkFaults(_ storage: any SyncStorage) throws -> [String] {
        let state = SyncState(storage, configuration.schema, meta)
        var named: [ChunkDigest: Int] = [:]
        for object in try state.allObjects() {
            for chunk in try state.record(object)?.chunks ?? [] { named[chunk.digest, default: 0] += 1 }
        }
        for transaction in try state.logged(beyond: VersionVector()) {
            for chunk in transaction.chunks { named[chunk.digest, default: 0] += 1 }
        }
        var faults: [String] = []
        for entry in try storage.entries(withPrefix: [StateKey.chunk]) {
            guard let digest = ChunkTable.digest(entry.key), let bytes = entry.value else { continue }
            let known = try ChunkTable.Entry(bytes)
            let count = named.removeValue(forKey: digest) ?? 0
            if known.uses != count {
                faults.append("Chunk \(digest) is named \(count) times and counted \(known.uses) times.")
            }
            guard try known.isAbsent || state.content(digest).map(configuration.digest) == digest else {
                faults.append("The bytes of chunk \(digest) are missing or damaged.")
                continue
            }
        }
        for digest in named.keys.sorted() { faults.append("Chunk \(digest) is named and not here.") }
        return faults
    }

    /// How many chunks are kept that nothing names.
    package func idleChunkCount(_ storage: any SyncStorage) throws -> Int {
        try storage.entries(withPrefix: [StateKey.idleChunk]).count
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
        for chunk in waiting.lacking.chunksOfValues() + waiting.lacking.chunksOfBaseline()
        where known.insert(chunk.digest).inserted {
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
        let stable = try SyncState(storage, configuration.schema, meta)
            .forgettable(at: now, silenceLimit: configuration.silenceLimit)
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
