import CoreDataStore

extension NSManagedObjectContext {
    /// Whether replicas of the stores may serve the context's reads; false by default. An extension to Apple's
    /// framework.
    ///
    /// Applies to stores that were added with an option that limits the lag of a replica, such as
    /// `CoreDataPostgreSQLReplicaMaximumLagOption`. Each read includes what was saved before through the same
    /// coordinator, the history that its contexts have read, and the transactions up to `replicaHistoryToken`: if no
    /// replica has all of this, the primary server is read. The primary server also executes every save, and the reads
    /// of contexts that have unsaved changes, are pinned to a query generation, or stream a result. Changes that others
    /// save may be missing for as long as the option allows: a save over such a change is a conflict, and a fetch may
    /// find an object that has been deleted.
    ///
    /// A context with a parent reads from its parent, so setting this in it has no effect.
    public var readsFromReplicas: Bool {
        get { replicaReading != nil }
        set {
            guard newValue != readsFromReplicas else { return }
            replicaReading = newValue ? ReplicaReading(after: nil) : nil
        }
    }

    /// A position in the persistent history, such as that of another process's save, that all later reads of the
    /// context include; nil by default. An extension to Apple's framework.
    ///
    /// Setting a token also sets `readsFromReplicas`. Only replicas that have all transactions up to the token are
    /// read, or else the primary server. Objects keep their values; refresh them, or fetch, to see the state of the
    /// token.
    public var replicaHistoryToken: NSPersistentHistoryToken? {
        get { replicaReading?.token }
        set {
            guard newValue != nil || readsFromReplicas else { return }
            replicaReading = ReplicaReading(after: newValue)
        }
    }

    /// The replicas that the context reads; stored in its data source.
    private var replicaReading: ReplicaReading? {
        get { (dataSource as? StoreDataSource)?.replicas }
        set { (dataSource as? StoreDataSource)?.replicas = newValue }
    }
}
