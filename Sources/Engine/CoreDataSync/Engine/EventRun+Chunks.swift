extension EventRun {
    /// How many chunks are sent, and asked for, in one event.
    private static let greatestChunkCount = 64

    /// Lets a transaction wait for what it builds on and for its chunks.
    mutating func wait(for transaction: SyncTransaction) throws {
        engineValue.waiting[transaction.id] = transaction
        let lacking = try lackingDigests(demanded(transaction))
        engineValue.waiting.lacking.set(lacking, of: transaction.id)
    }

    func lackingDigests(_ chunks: [LargeValue.Chunk]) throws -> Set<ChunkDigest> {
        var lacking: Set<ChunkDigest> = []
        for chunk in chunks {
            if !lacking.contains(chunk.digest), try !state.hasChunk(chunk.digest) { lacking.insert(chunk.digest) }
        }
        return lacking
    }

    // MARK: Chunks

    /// Keeps chunks that something waits for; what is no such chunk is refused.
    mutating func receive(chunks: [[UInt8]]) throws {
        var isNew = false
        for content in chunks {
            guard content.count <= LargeValue.Chunk.greatestSize, let digest = configuration.digest(content) else {
                reports.append(.refusedBytes(FormatError(.tooLarge, at: 0)))
                continue
            }
            guard engineValue.waiting.lacking.contains(digest) else { continue }
            // A save of this store may have brought it in the meantime.
            if try !state.hasChunk(digest) {
                try state.keepChunk(digest, content, at: now)
                arrivedChunks.append((digest, content))
            }
            engineValue.waiting.lacking.arrived(digest)
            isNew = true
        }
        guard isNew else { return }
        markChanged()
        if let rebase = state.meta.rebase {
            _ = try takeStaged(rebase)
        } else {
            engineValue.waiting.lacking.dropBaseline()
            try applyWaiting()
            acknowledge()
        }
    }

    /// Sends chunks that are here.
    mutating func answer(wanted digests: [ChunkDigest]) throws {
        for digest in digests.prefix(Self.greatestChunkCount) {
            if let content = try state.content(digest) { send(.chunk(content)) }
        }
    }

    /// Waits no longer for chunks that saves of this store brought.
    mutating func noticeChunks() throws {
        for chunk in engineValue.missingChunks where try state.hasChunk(chunk.digest) {
            engineValue.waiting.lacking.arrived(chunk.digest)
        }
    }

    /// Asks for chunks that are waited for.
    mutating func askForChunks() {
        let missing = engineValue.missingChunks.prefix(Self.greatestChunkCount)
        if !missing.isEmpty { send(.wantedChunks(missing.map(\.digest))) }
    }
}
