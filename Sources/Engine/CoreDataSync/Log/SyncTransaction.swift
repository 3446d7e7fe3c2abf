/// The changes of one save, applied whole and never before what they build on.
package struct SyncTransaction: Hashable, Sendable {
    package let id: TransactionID
    package let time: HybridTime
    /// What the author had applied since its transaction before this one.
    package let dependencies: [TransactionID]
    /// The transaction that this one carries, if its author wrote it under another identity or before it had a baseline.
    package let carried: Carried?
    /// How many repairs led to this transaction; 0 for what a person did.
    package let generation: UInt8
    package let operations: [SyncOperation]
    /// The digest of the author's transaction before this one, 0 for the first: two that have one name have different successors.
    package let previous: UInt32
    /// The digest of all of this.
    package let digest: UInt32
    /// About how many bytes it takes in a frame; seldom less.
    package let size: Int

    /// The chunks of large values that the operations name.
    package let chunks: [LargeValue.Chunk]

    /// The identity of the changes: that of the transaction, or of the one that it carries.
    package var origin: TransactionID { carried?.id ?? id }

    /// A transaction that is written once more, on top of a baseline.
    ///
    /// Its changes keep their identities, so that a peer which had it already applies them once. Changes of objects whose deletion the
    /// author has seen by now are left out.
    package struct Carried: Hashable, Sendable {
        package let id: TransactionID
        /// What its edits had seen.
        package let seen: VersionVector

        package init(_ id: TransactionID, seen: VersionVector) {
            self.id = id
            self.seen = seen
        }
    }

    package init(
        _ id: TransactionID, time: HybridTime, dependencies: [TransactionID] = [], carried: Carried? = nil,
        generation: UInt8 = 0, operations: [SyncOperation], previous: UInt32 = 0
    ) {
        self.id = id
        self.time = time
        self.dependencies = dependencies
        self.carried = carried
        self.generation = generation
        self.operations = operations
        self.previous = previous
        let bytes = ByteWriter.digested { writer in
            writer.write(fixed: UInt64(previous), count: 4)
            writer.write(id)
            writer.write(fixed: time.rawValue, count: 8)
            writer.writeRest(generation, dependencies, carried, operations)
        }
        chunks = operations.flatMap(\.chunks)
        size = bytes.count
        digest = Checksum.crc32(bytes)
    }
}
