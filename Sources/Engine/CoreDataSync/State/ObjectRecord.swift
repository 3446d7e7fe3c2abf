/// A value of an attribute with who wrote it, when.
package struct Write: Hashable, Sendable {
    package let transaction: TransactionID
    package let time: HybridTime
    package let value: SyncValue
    /// Of a counter that was set, what others had added to it by then: only what came later counts.
    package let counted: [PeerID: SyncValue]

    package init(
        _ transaction: TransactionID, time: HybridTime, value: SyncValue, counted: [PeerID: SyncValue] = [:]
    ) {
        self.transaction = transaction
        self.time = time
        self.value = value
        self.counted = counted
    }

    /// The order in which the last writer is last; writes of one transaction to united objects are ordered by their bytes.
    static func isEarlier(_ left: Write, _ right: Write) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.transaction != right.transaction { return left.transaction < right.transaction }
        return left.value.encoded.lexicographicallyPrecedes(right.value.encoded)
    }
}

/// A deletion of an object, with what it had seen.
package struct Deletion: Hashable, Sendable {
    package let transaction: TransactionID
    package let time: HybridTime
    package let seen: VersionVector
}

/// What an author added to a counter, with the last of its transactions that did.
package struct CounterSum: Hashable, Sendable {
    package let sequence: UInt64
    package let value: SyncValue
}

/// What is known of one object: all of it follows from the transactions that were applied, in any order.
package struct ObjectRecord: Hashable, Sendable {
    package let entity: SchemaID
    package let created: HybridTime
    /// The values that no applied write replaced; more than one if they were written without knowledge of each other.
    package internal(set) var writes: [SchemaID: [Write]] = [:]
    /// What each author added to a counter.
    package internal(set) var sums: [SchemaID: [PeerID: CounterSum]] = [:]
    package internal(set) var deletions: [Deletion] = []
    /// The last transactions that took away links or values, which leave no other trace: a deletion that had not seen them may have
    /// to yield to them.
    package internal(set) var removals = VersionVector()
    /// The objects that a transaction united with this one.
    package internal(set) var united: Set<ObjectIdentity> = []
    /// What follows from this and other records by the model; no part of a baseline.
    package internal(set) var derived = Derived()

    init(entity: SchemaID, created: HybridTime) {
        self.entity = entity
        self.created = created
    }

    /// How an object is shown.
    package struct Derived: Hashable, Sendable {
        /// The object as which this one is shown; nil if it was never computed.
        package var survivor: ObjectIdentity?
        /// For a survivor, the objects that are shown as it, itself among them.
        package var members: [ObjectIdentity] = []
        /// Whether a survivor is shown at all.
        package var isVisible = false
        /// Whether the store has a row of a survivor: it is shown, and in the part that the store keeps.
        package var isStored = false
        /// The entries of the index of unique values that the object has.
        package var keys: [[UInt8]] = []
    }
}
