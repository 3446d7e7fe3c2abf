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
///
/// A copy shares its contents until one of both is changed: records are read much more often than they change.
package struct ObjectRecord: Hashable, Sendable {
    private var shared: Shared

    init(entity: SchemaID, created: HybridTime) { shared = Shared(Contents(entity: entity, created: created)) }

    package var entity: SchemaID { shared.contents.entity }
    package var created: HybridTime { shared.contents.created }

    /// The values that no applied write replaced.
    package internal(set) var writes: AttributeWrites {
        get { shared.contents.writes }
        _modify { yield &own.contents.writes }
    }
    /// What each author added to a counter.
    package internal(set) var sums: [SchemaID: [PeerID: CounterSum]] {
        get { shared.contents.sums }
        _modify { yield &own.contents.sums }
    }
    package internal(set) var deletions: [Deletion] {
        get { shared.contents.deletions }
        _modify { yield &own.contents.deletions }
    }
    /// The last transactions that took away links or values, which leave no other trace: a deletion that had not seen them may have
    /// to yield to them.
    package internal(set) var removals: VersionVector {
        get { shared.contents.removals }
        _modify { yield &own.contents.removals }
    }
    /// The objects that a transaction united with this one.
    package internal(set) var united: Set<ObjectIdentity> {
        get { shared.contents.united }
        _modify { yield &own.contents.united }
    }
    /// What follows from this and other records by the model; no part of a baseline.
    package internal(set) var derived: Derived {
        get { shared.contents.derived }
        _modify { yield &own.contents.derived }
    }

    /// The contents, which no other record has.
    private var own: Shared {
        mutating get {
            if !isKnownUniquelyReferenced(&shared) { shared = Shared(shared.contents) }
            return shared
        }
    }

    package static func == (left: ObjectRecord, right: ObjectRecord) -> Bool {
        left.shared === right.shared || left.shared.contents == right.shared.contents
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(shared.contents) }

    private struct Contents: Hashable, Sendable {
        let entity: SchemaID
        let created: HybridTime
        var writes = AttributeWrites()
        var sums: [SchemaID: [PeerID: CounterSum]] = [:]
        var deletions: [Deletion] = []
        var removals = VersionVector()
        var united: Set<ObjectIdentity> = []
        var derived = Derived()
    }

    /// Contents are changed only by a record that alone has them, so that they may be read on all threads.
    private final class Shared: @unchecked Sendable {
        var contents: Contents

        init(_ contents: Contents) { self.contents = contents }
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
