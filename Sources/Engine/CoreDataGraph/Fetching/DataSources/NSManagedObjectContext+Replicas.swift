import CoreDataStore

extension NSManagedObjectContext {
    /// Whether replicas of the stores may answer what the context reads; false at first. An extension to Apple's framework.
    ///
    /// Applies to stores that were added with an option that limits the lag of a replica, such as
    /// `CoreDataPostgreSQLReplicaMaximumLagOption`. Every later read sees what was saved before through the same coordinator, what its
    /// contexts have read of the history, and what `replicaHistoryToken` names: where no replica has it yet, the primary server
    /// answers. The primary also serves every save, and contexts that have unsaved changes, are pinned to a query generation, or stream
    /// a result. Changes that others save may be missing for as long as the option allows, so that a save over them is a conflict,
    /// and an object that was deleted meanwhile may be found.
    ///
    /// A context with a parent reads what its parent does; setting it there changes nothing.
    public var readsFromReplicas: Bool {
        get { replicaReading != nil }
        set {
            guard newValue != readsFromReplicas else { return }
            replicaReading = newValue ? ReplicaReading(after: nil) : nil
        }
    }

    /// A position in the history, such as another process's save, that all later reads of the context include; nil at first. An
    /// extension to Apple's framework.
    ///
    /// Setting one lets the context read from replicas. Replicas that have all transactions up to it answer, else the primary
    /// server. Objects keep their values; refresh them, or fetch, to see the state of the token.
    public var replicaHistoryToken: NSPersistentHistoryToken? {
        get { replicaReading?.token }
        set {
            guard newValue != nil || readsFromReplicas else { return }
            replicaReading = ReplicaReading(after: newValue)
        }
    }

    /// What the context reads from replicas, which its data source knows.
    private var replicaReading: ReplicaReading? {
        get { (dataSource as? StoreDataSource)?.replicas }
        set { (dataSource as? StoreDataSource)?.replicas = newValue }
    }
}
