/// A value that is kept and sent in chunks, each named by the digest of its content.
package struct LargeValue: Hashable, Sendable {
    /// What the bytes of all chunks together are, by the tags of values that travel whole.
    package enum Kind: UInt8, Sendable {
        case string = 7
        case data = 8
        case uri = 11
    }

    package struct Chunk: Hashable, Sendable {
        /// The most bytes that a chunk may have.
        package static let greatestSize = 256 * 1024

        package let digest: ChunkDigest
        package let size: Int

        package init(digest: ChunkDigest, size: Int) {
            self.digest = digest
            self.size = size
        }
    }

    /// The most chunks that a value may have.
    package static let greatestCount = 1 << 17
    /// The most bytes that a value may have.
    package static let greatestSize = 1 << 31

    package let kind: Kind
    package let chunks: [Chunk]

    package init(_ kind: Kind, chunks: [Chunk]) {
        self.kind = kind
        self.chunks = chunks
    }

    package var size: Int { chunks.reduce(0) { $0 + $1.size } }
}

extension SyncValue {
    /// The chunks that the value names.
    package var chunks: [LargeValue.Chunk] {
        switch self {
        case .large(let large): large.chunks
        case .array(let values): values.flatMap(\.chunks)
        default: []
        }
    }
}
