/// The changes of one save, applied whole and never before what they build on.
package struct SyncTransaction: Hashable, Sendable {
    package let id: TransactionID
    package let time: HybridTime
    /// What the author had applied since its transaction before this one.
    package let dependencies: [TransactionID]
    /// What the edits had seen, if that is less than what the author had applied: the edits of a peer that was away beyond the limit
    /// and has written them once more under a new identity.
    package let seen: VersionVector?
    /// How many repairs led to this transaction; 0 for what a person did.
    package let generation: UInt8
    package let operations: [SyncOperation]

    package init(
        _ id: TransactionID, time: HybridTime, dependencies: [TransactionID] = [], seen: VersionVector? = nil,
        generation: UInt8 = 0, operations: [SyncOperation]
    ) {
        self.id = id
        self.time = time
        self.dependencies = dependencies
        self.seen = seen
        self.generation = generation
        self.operations = operations
    }
}
