import CoreDataStore

extension NSManagedObjectContext {
    /// Whether replicas of the stores may answer what the context reads; false at first. An extension to Apple's framework.
    ///
    /// Counts for stores that were added with an option that says how far behind a replica may be, such as
    /// `CoreDataPostgreSQLReplicaMaximumLagOption`. What was saved before through the same coordinator, what its contexts have
    /// read of the history, and what `replicaHistoryToken` names, every later read sees: where no replica has it yet, the server that
    /// takes writes answers. It also answers what a context reads that has unsaved changes, is pinned to a query generation, or streams
    /// a result, and every save. What others save may be missing for as long as the option says, so that a save over it is a conflict,
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

    /// A place in the history, such as that of another process's save, that all later reads of the context have seen; nil at first. An
    /// extension to Apple's framework.
    ///
    /// Setting one lets the context read from replicas. Replicas answer that have all transactions up to it, else the server that takes
    /// writes. Objects keep the values that they have; refresh them, or fetch, to see what the token stands for.
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
