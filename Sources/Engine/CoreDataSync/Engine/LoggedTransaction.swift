/// A transaction of a log, with what its author had applied when it was written.
typealias LoggedTransaction = (transaction: SyncTransaction, dependencies: VersionVector)
