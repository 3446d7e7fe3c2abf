/// A value that is kept and sent in chunks, each named by the digest of its content.
package struct LargeValue: Hashable, Sendable {
    package struct Chunk: Hashable, Sendable {
        /// The most bytes that a chunk may have.
        static let greatestSize = 256 * 1024

        package let digest: [UInt8]
        package let size: Int

        package init(digest: [UInt8], size: Int) {
            self.digest = digest
            self.size = size
        }
    }

    package let chunks: [Chunk]

    package init(chunks: [Chunk]) { self.chunks = chunks }

    package var size: Int { chunks.reduce(0) { $0 + $1.size } }
}
