extension SyncState {
    // MARK: Contents

    /// Whether the bytes of a chunk are here.
    func hasChunk(_ digest: ChunkDigest) throws -> Bool {
        try value(ChunkTable.key(StateKey.chunk, digest)).map { try !ChunkTable.Entry($0).isAbsent } ?? false
    }

    /// Whether chunks that are known have the sizes that a value says: otherwise it would be larger than it seems.
    func haveTheirSizes(_ chunks: [LargeValue.Chunk]) throws -> Bool {
        try chunks.allSatisfy { chunk in
            guard let bytes = try value(ChunkTable.key(StateKey.chunk, chunk.digest)) else { return true }
            return try ChunkTable.Entry(bytes).size == chunk.size
        }
    }

    func content(_ digest: ChunkDigest) throws -> [UInt8]? { try value(ChunkTable.contentKey(digest)) }

    /// Keeps the bytes of a chunk that was checked.
    func keepChunk(_ digest: ChunkDigest, _ content: [UInt8], at now: UInt64) throws {
        let known = try value(ChunkTable.key(StateKey.chunk, digest))
        for entry in try ChunkTable.entries(digest, content, at: now, known: known) {
            set(entry.value, for: entry.key)
        }
    }

    // MARK: Uses

    /// Counts what a transaction names that comes into the log, under the key that it has there.
    func countLogged(_ transaction: SyncTransaction, _ key: [UInt8]) throws {
        guard !transaction.chunks.isEmpty else { return }
        // One that is there already is written once more.
        try countUnlogged(transaction.id, key)
        let mark = [StateKey.chunkedLog] + key.dropFirst()
        set([], for: mark)
        chunkUses.add(transaction.chunks)
        chunkedLog?.insert(mark)
    }

    /// Counts no more what a transaction names that leaves the log.
    func countUnlogged(_ id: TransactionID, _ key: [UInt8]) throws {
        let marks = try chunkedLog ?? Set(keys(withPrefix: [StateKey.chunkedLog]))
        chunkedLog = marks
        let mark = [StateKey.chunkedLog] + key.dropFirst()
        guard marks.contains(mark), try value(mark) != nil else { return }
        set(nil, for: mark)
        if let logged = try logged(id) { chunkUses.subtract(logged.transaction.chunks) }
    }

    /// Writes how often chunks are named, with the time for those that are not any more.
    func writeChunkUses(at now: UInt64) throws {
        var uses = chunkUses
        if isReplaced {
            for entry in try storage.entries(withPrefix: [StateKey.object]) {
                var reader = ByteReader(entry.value ?? [], peers: meta.peers.peers)
                uses.subtract(try reader.record().chunks)
            }
        }
        for object in changedObjects {
            uses.subtract(uses.before(object))
            if let record = try record(object) { uses.add(record.chunks) }
        }
        for (digest, difference) in uses.differences where difference != 0 {
            let key = ChunkTable.key(StateKey.chunk, digest)
            let known = try value(key).map { try ChunkTable.Entry($0) }
            let absent = uses.sizes[digest].map { ChunkTable.Entry(size: $0, isAbsent: true) }
            guard var entry = known ?? absent, known != nil || difference > 0 else { continue }
            let before = entry.uses
            entry.uses = max(0, before + difference)
            if entry.isAbsent {
                set(entry.uses == 0 ? nil : entry.bytes, for: key)
                continue
            }
            set(entry.bytes, for: key)
            guard (before == 0) != (entry.uses == 0) else { continue }
            set(
                entry.uses == 0 ? ChunkTable.time(now) : nil, for: ChunkTable.key(StateKey.idleChunk, digest))
        }
    }

    /// Forgets chunks that nothing has named for a time.
    ///
    /// - Parameter kept: Chunks that something waits for.
    func dropIdleChunks(at now: UInt64, after grace: UInt64, keeping kept: Set<ChunkDigest>) throws {
        for key in try keys(withPrefix: [StateKey.idleChunk]) {
            guard let digest = ChunkTable.digest(key), !kept.contains(digest), chunkUses.differences[digest] == nil,
                let bytes = try value(key)
            else { continue }
            var reader = ByteReader(bytes)
            let since = try reader.number()
            // After a clock was set back the time begins again.
            guard since <= now else {
                set(ChunkTable.time(now), for: key)
                continue
            }
            guard now - since >= grace else { continue }
            for table in [StateKey.chunk, StateKey.chunkContent, StateKey.idleChunk] {
                set(nil, for: ChunkTable.key(table, digest))
            }
        }
    }
}
