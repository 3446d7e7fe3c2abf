/// The entries of a store's state for chunks of large values.
///
/// | entry | value |
/// |---|---|
/// | `chunk` and the digest | the size, how many records and transactions of the log name the chunk, and whether its bytes are absent |
/// | `chunkContent` and the digest | the bytes |
/// | `idleChunk` and the digest | of a chunk that nothing names: since when, in milliseconds since 1970 |
package enum ChunkTable {
    struct Entry: Hashable {
        var size: Int
        var uses: Int
        /// Whether the chunk is named, and its bytes are not here: they come on demand.
        var isAbsent = false

        init(size: Int, uses: Int = 0, isAbsent: Bool = false) {
            self.size = size
            self.uses = uses
            self.isAbsent = isAbsent
        }

        init(_ bytes: [UInt8]) throws {
            var reader = ByteReader(bytes)
            size = Int(clamping: try reader.number())
            uses = Int(clamping: try reader.number())
            isAbsent = try reader.remaining > 0 && reader.byte() == 1
        }

        var bytes: [UInt8] {
            var writer = ByteWriter()
            writer.write(count: size)
            writer.write(count: uses)
            if isAbsent { writer.write(byte: 1) }
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
        try size(of: digest, storage) != nil
    }

    /// The size of a chunk; nil if it is not here.
    package static func size(of digest: ChunkDigest, _ storage: some SyncStorage) throws -> Int? {
        guard let entry = try storage.value(for: key(StateKey.chunk, digest)).map({ try Entry($0) }) else { return nil }
        return entry.isAbsent ? nil : entry.size
    }

    /// Whether a store has a chunk, or names it without having its bytes.
    package static func isKnown(_ digest: ChunkDigest, _ storage: some SyncStorage) throws -> Bool {
        try storage.value(for: key(StateKey.chunk, digest)) != nil
    }

    /// The entries of a chunk for a store that does not have its bytes: an adapter writes them before it gives the engine the save whose
    /// value has the chunk.
    ///
    /// - Parameter known: The entry of a chunk that is named and absent; nil for one that nothing names yet.
    package static func entries(
        _ digest: ChunkDigest, _ content: [UInt8], at now: UInt64, known: [UInt8]? = nil
    ) throws -> [StateEntry] {
        let uses = try known.map { try Entry($0).uses } ?? 0
        let entry = StateEntry(
            key: key(StateKey.chunk, digest), value: Entry(size: content.count, uses: uses).bytes)
        let idle = StateEntry(key: key(StateKey.idleChunk, digest), value: time(now))
        return [entry] + (uses == 0 ? [idle] : []) + [StateEntry(key: contentKey(digest), value: content)]
    }

    /// The entry that ``entries(_:_:at:known:)`` goes on from.
    package static func entry(of digest: ChunkDigest, _ storage: some SyncStorage) throws -> [UInt8]? {
        try storage.value(for: key(StateKey.chunk, digest))
    }
}

/// How many more, or fewer, records and transactions of the log name each chunk than by the storage.
struct ChunkUses {
    private(set) var differences: [ChunkDigest: Int] = [:]
    /// The sizes of chunks that are named from now on.
    private(set) var sizes: [ChunkDigest: Int] = [:]
    /// The chunks that records named when they were read.
    private var before: [ObjectIdentity: [LargeValue.Chunk]] = [:]

    mutating func add(_ chunks: [LargeValue.Chunk]) {
        for chunk in chunks {
            differences[chunk.digest, default: 0] += 1
            sizes[chunk.digest] = chunk.size
        }
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
    /// The chunks of the values of some attributes.
    func chunks(where isWanted: (SchemaID) -> Bool) -> [LargeValue.Chunk] {
        writes.elements.flatMap { isWanted($0.attribute) ? $0.write.value.chunks : [] }
    }

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
