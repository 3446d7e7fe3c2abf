import CoreDataGraph

/// An attribute of which a value lost, and that was not written since.
public struct SyncConflict: Sendable, Hashable {
    /// The identifier of the object; nil for one that is deleted, or that this store does not keep.
    public let objectID: NSManagedObjectID?
    /// The identity of the object, which is the same for all peers.
    public let object: String
    /// The name of the entity.
    public let entity: String
    /// The name of the attribute; of an element of a composite its path.
    public let attribute: String
    /// What decided: a merge rule, as the user info of a model names it, or `deletion` if the object was deleted.
    public let rule: String
    /// The values, the earliest first.
    public let writes: [SyncExplanation.Write]

    /// The values that lost.
    public var lost: [SyncExplanation.Write] { writes.filter { !$0.isChosen } }
}

/// The conflicts of a store, the latest first, as many as were asked for.
public struct SyncConflictList: Sendable, Hashable {
    /// The conflicts.
    public let conflicts: [SyncConflict]
    /// How many there are in all.
    public let count: Int
}
