/// A change of one object, as it travels.
package enum SyncOperation: Hashable, Sendable {
    /// The object of the transaction with this ordinal exists.
    case create(ordinal: UInt32, entity: SchemaID)
    /// Replaces the values of an attribute that the author had seen.
    case set(ObjectIdentity, SchemaID, SyncValue)
    /// Takes away the values of an attribute that the author had seen; the object is one with another that has the value.
    case clear(ObjectIdentity, SchemaID)
    /// Replaces the value of a counter, and what the author had seen added to it.
    case count(ObjectIdentity, SchemaID, SyncValue, counted: [PeerID: SyncValue])
    /// Adds to a counter.
    case add(ObjectIdentity, SchemaID, SyncValue)
    /// Adds an element to a set.
    case include(ObjectIdentity, SchemaID, SyncValue)
    /// Takes an element from a set, as far as the author had seen it.
    case exclude(ObjectIdentity, SchemaID, SyncValue)
    case delete(ObjectIdentity)
    /// Two objects are one from now on.
    case unite(ObjectIdentity, ObjectIdentity)
    /// Links two objects, at their places in ordered relationships; what excludes the link is taken away as far as it was seen.
    case link(SyncLink)
    /// Takes a link away as far as the author had seen it.
    case unlink(SchemaID, source: ObjectIdentity, target: ObjectIdentity)
    /// A peer takes part from now on.
    case admit(PeerID, PeerRole)
    /// A peer takes part no longer: nothing waits for it, and what it writes is refused.
    case retire(PeerID)
    /// An operation of a newer program, kept and passed on.
    case unknown(tag: UInt8, bytes: [UInt8])
}

/// A link between two objects with what it replaces.
package struct SyncLink: Hashable, Sendable {
    package let relationship: SchemaID
    package let source: ObjectIdentity
    package let target: ObjectIdentity
    /// Whether other targets of the source are taken away: the relationship is to-one.
    package let replacesTargets: Bool
    /// Whether other sources of the target are taken away: the inverse is to-one.
    package let replacesSources: Bool
    /// The place among the targets of the source, if those have an order.
    package let sourcePosition: ListPosition?
    /// The place among the sources of the target, if those have an order.
    package let targetPosition: ListPosition?

    package init(
        relationship: SchemaID, source: ObjectIdentity, target: ObjectIdentity, replacesTargets: Bool,
        replacesSources: Bool, sourcePosition: ListPosition?, targetPosition: ListPosition?
    ) {
        self.relationship = relationship
        self.source = source
        self.target = target
        self.replacesTargets = replacesTargets
        self.replacesSources = replacesSources
        self.sourcePosition = sourcePosition
        self.targetPosition = targetPosition
    }
}

/// What a peer may do.
package enum PeerRole: UInt8, Sendable {
    case writer = 0
    case reader = 1
}

extension SyncOperation {
    /// The attribute of which the operation has a value.
    var attribute: SchemaID? {
        switch self {
        case .set(_, let attribute, _), .add(_, let attribute, _), .include(_, let attribute, _),
            .exclude(_, let attribute, _), .count(_, let attribute, _, _):
            attribute
        default: nil
        }
    }

    /// The chunks that the operation's value names.
    var chunks: [LargeValue.Chunk] {
        switch self {
        case .set(_, _, let value), .add(_, _, let value), .include(_, _, let value), .exclude(_, _, let value),
            .count(_, _, let value, _):
            value.chunks
        default: []
        }
    }
}
