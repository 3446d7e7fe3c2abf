/// What the engine is given of its world.
package struct SyncConfiguration: Sendable {
    package var schema: SyncSchema
    package var role: PeerRole = .writer
    package var functions: MergeFunctions = [:]
    /// Whether a row belongs to the part of the store that is kept here, which may depend on the row alone; nil if the store keeps all.
    package var isInPart: (@Sendable (SyncRow) -> Bool)?
    /// Looks at the rows of a merge before they are committed.
    package var validate: @Sendable ([RowChange]) -> ValidationResult = { _ in .accepted }
    /// For how long a member may be silent before it is retired, in milliseconds of time during which this peer was awake.
    package var silenceLimit: UInt64 = 30 * 86_400_000
    /// For how long a member may lack what is no longer in the log here, and get it from no other, before it has to take a baseline.
    package var lagLimit: UInt64 = 86_400_000
    /// The size that a transaction does not exceed unless one operation does, in bytes.
    package var transactionSize = SyncFrame.transactionSize
    /// How many transactions may wait for others, and how many bytes of them.
    package var waitingCount = 50_000
    package var waitingSize = 64 << 20
    /// The size of a baseline's parts, in bytes.
    package var partSize = SyncFrame.portionSize
    /// The SHA-256 of bytes, by which chunks of large values are checked; nil, the default, refuses all chunks.
    package var digest: @Sendable ([UInt8]) -> ChunkDigest? = { _ in nil }
    /// Whether the large values of an attribute come on demand: what names them does not wait for their chunks.
    package var isOnDemand: @Sendable (SchemaID) -> Bool = { _ in false }
    /// For how long chunks are kept that nothing names, in milliseconds: a peer may be about to name one again.
    package var chunkGrace: UInt64 = 86_400_000
    /// The size above which a value that travels whole is not sent, in bytes.
    package var greatestValueSize = SyncFrame.greatestValueSize
    /// Whether the caller makes the frames of transactions, which it may put together, and makes and takes baselines part by part, so that
    /// they need not be in memory: see ``SyncEffect``.
    package var leavesFrames = false
    /// The time between greetings, in milliseconds.
    package var greetingInterval: UInt64 = 30_000

    package init(schema: SyncSchema) { self.schema = schema }
}

/// What the program says of a merge.
package enum ValidationResult: Sendable {
    case accepted
    /// The merge is committed with these changes, which travel as a transaction.
    case corrected([LocalChange])
    /// The merge is not committed, and is tried again later.
    case refused(String)
}
