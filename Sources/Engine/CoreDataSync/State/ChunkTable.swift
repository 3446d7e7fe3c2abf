/// The entries of a store's state for chunks of large values.
///
/// | entry | value |
/// |---|---|
/// | `chunk` and the digest | the size, and how many records and transactions of the log name the chunk |
/// | `chunkContent` and the digest | the bytes |
/// | `idleChunk` and the digest | of a chunk that nothing names: since when, in milliseconds since 1970 |
package enum ChunkTable {
    struct Entry: Hashable {
        var size: Int
        var uses: Int

        init(size: Int, uses: Int = 0) {
            self.size = size
            self.uses = uses
        }

        init(_ bytes: [UInt8]) throws {
            var reader = ByteReader(bytes)
            size = Int(clamping: try reader.number())
            uses = Int(clamping: try reader.number())
        }

        var bytes: [UInt8] {
            var writer = ByteWriter()
            writer.write(count: size)
            writer.write(count: uses)
            return writer.bytes
        }
    }

    static func key(_ table: UInt8, _ digest: ChunkDigest) -> [UInt8] { [table] + digest.bytes }

    /// The digest in a key of one of the tables.
    static func digest(_ key: [UInt8]) -> ChunkDigest? { ChunkDigest(key.dropFirst()) }

    static func time(_ milliseconds: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(number: milliseconds)
        return writer.bytes
    }

    /// The entry with the bytes of a chunk.
    package static func contentKey(_ digest: ChunkDigest) -> [UInt8] { key(StateKey.chunkContent, digest) }

    /// Whether an entry has the size or the bytes of a chunk: what the values of rows are joined from.
    package static func isContent(_ key: [UInt8]) -> Bool {
        key.first == StateKey.chunk || key.first == StateKey.chunkContent
    }

    /// Whether a store has the bytes of a chunk.
    package static func contains(_ digest: ChunkDigest, _ storage: some SyncStorage) throws -> Bool {
        try storage.value(for: key(StateKey.chunk, digest)) != nil
    }

    /// The size of a chunk; nil if it is not here.
    package static func size(of digest: ChunkDigest, _ storage: some SyncStorage) throws -> Int? {
        try storage.value(for: key(StateKey.chunk, digest)).map { try Entry($0).size }
    }

    /// The entries of a chunk that nothing names yet, for a store that has none of it: an adapter writes them before it gives the engine
    /// the save whose value has the chunk.
    package static func entries(_ digest: ChunkDigest, _ content: [UInt8], at now: UInt64) -> [StateEntry] {
        [
            StateEntry(key: key(StateKey.chunk, digest), value: Entry(size: content.count).bytes),
            StateEntry(key: key(StateKey.idleChunk, digest), value: time(now)),
            StateEntry(key: contentKey(digest), value: content),
        ]
    }
}

/// How many more, or fewer, records and transactions of the log name each chunk than by the storage.
struct ChunkUses {
    private(set) var differences: [ChunkDigest: Int] = [:]
    /// The chunks that records named when they were read.
    private var before: [ObjectIdentity: [LargeValue.Chunk]] = [:]

    mutating func add(_ chunks: [LargeValue.Chunk]) {
        for chunk in chunks { differences[chunk.digest, default: 0] += 1 }
    }

    mutating func subtract(_ chunks: [LargeValue.Chunk]) {
        for chunk in chunks { differences[chunk.digest, default: 0] -= 1 }
    }

    mutating func note(_ record: ObjectRecord, of object: ObjectIdentity) {
        let chunks = record.chunks
        if !chunks.isEmpty { before[object] = chunks }
    }

    /// The chunks that a record named; none of one that the storage does not have.
    func before(_ object: ObjectIdentity) -> [LargeValue.Chunk] { before[object] ?? [] }

    mutating func forgetRecords() { before = [:] }
}

extension ObjectRecord {
    /// The chunks that the record's values name.
    package var chunks: [LargeValue.Chunk] {
        var chunks: [LargeValue.Chunk] = []
        for element in writes.elements {
            switch element.write.value {
            case .large, .array: chunks += element.write.value.chunks
            default: continue
            }
        }
        return chunks
    }
}
