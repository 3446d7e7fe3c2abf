import CoreDataGraph

/// What a merge of peers' changes is about to do with the objects of a store.
public struct SyncMerge {
    /// An object of a merge.
    public struct Object {
        /// What happens to the object.
        public enum Change: String, Sendable {
            /// The store gets the object.
            case inserted
            /// Values or relationships change.
            case updated
            /// The object is deleted.
            case deleted
            /// The object leaves the part that the store keeps.
            case evicted
        }

        /// What happens to it.
        public let change: Change
        /// The name of the entity.
        public let entity: String
        /// The identity, which is the same for all peers.
        public let identity: String
        /// The identifier in this store; nil for one that is inserted.
        public let objectID: NSManagedObjectID?
        /// The values after the merge by attribute, of one that goes those before; nil is left out. Elements of composites are named by their
        /// paths, and a transformable has the `Data` that is stored.
        public let values: [String: Any]
        /// The attributes and relationships that the merge changes.
        public let changedKeys: Set<String>
        /// The identities at the other ends of relationships that the merge changes: of to-one and ordered ones, and of one end of those
        /// that are to-many at both.
        public let relationships: [String: [String]]
    }

    /// The objects that the merge changes.
    public let objects: [Object]
}

/// What a program says of a merge.
public enum SyncVerdict {
    /// The merge is committed.
    case accept
    /// The merge is committed with changes, which travel to the peers as those of a save.
    ///
    /// The program is asked again about the result, eight times at most.
    case correct([SyncCorrection])
    /// The merge is not committed: the store stays as it is, the status has the reason, and the merge is tried again with each exchange.
    case refuse(String)
}

/// A change by which a program corrects a merge.
public struct SyncCorrection {
    enum Kind {
        case set([String: Any?], relationships: [String: [String]])
        case insert(entity: String, [String: Any?], relationships: [String: [String]])
        case delete
    }

    let identity: String
    let kind: Kind

    /// Gives an object other values, and other objects at the ends of relationships, which are named by their identities.
    public static func set(
        _ values: [String: Any?], relationships: [String: [String]] = [:], of object: SyncMerge.Object
    ) -> SyncCorrection {
        SyncCorrection(identity: object.identity, kind: .set(values, relationships: relationships))
    }

    /// Inserts an object.
    ///
    /// Each peer that validates inserts one of its own: give the entity a uniqueness constraint, by which they become one, or let one peer
    /// alone do it.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity, which is not abstract.
    ///   - values: The values; attributes without one have their default values.
    ///   - relationships: The identities of the objects at the other ends, as in ``SyncMerge/Object``.
    ///   - identity: What names the object in the relationships of other corrections of the same verdict.
    public static func insert(
        _ entity: String, _ values: [String: Any?], relationships: [String: [String]] = [:], as identity: String
    ) -> SyncCorrection {
        SyncCorrection(identity: identity, kind: .insert(entity: entity, values, relationships: relationships))
    }

    /// Deletes an object.
    public static func delete(_ object: SyncMerge.Object) -> SyncCorrection {
        SyncCorrection(identity: object.identity, kind: .delete)
    }
}
