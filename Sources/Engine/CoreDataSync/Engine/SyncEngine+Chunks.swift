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
            let uses = try ChunkTable.Entry(bytes).uses
            let count = named.removeValue(forKey: digest) ?? 0
            if uses != count { faults.append("Chunk \(digest) is named \(count) times and counted \(uses) times.") }
            guard let content = try state.content(digest), configuration.digest(content) == digest else {
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
