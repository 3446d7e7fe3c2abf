/// How a database file is opened.
package struct OpenOptions: Sendable {
    package enum Mode: Sendable {
        /// The file must exist and is never written; nor is its folder, except for the `-shm` file of a WAL database.
        case readOnly
        /// The file must exist.
        case readWrite
        /// The file is made when it is missing; an empty file in its place is refused.
        case create
    }

    package var mode: Mode
    /// Promises that the file is not changed while it is open: no locks, no `-wal`, works in a read-only folder.
    package var isImmutable = false
    /// Uses the `-shm` file that is beside a database in write-ahead mode as it is, and never writes it.
    package var keepsLogIndex = false
    /// How long a call waits for another connection's lock.
    package var busyTimeout: Duration = .seconds(5)
    /// Limits set before the first byte of the file is read.
    package var limits: [Limit: Int] = [:]
    /// The name of a registered VFS; nil for the platform's own.
    package var vfs: String?

    package init(mode: Mode = .readWrite) { self.mode = mode }

    /// What `sqlite3_limit` can bound; the raw values are its categories.
    package enum Limit: Int32, Sendable, Hashable {
        case valueLength = 0
        case sqlLength = 1
        case columns = 2
        case expressionDepth = 3
        case compoundSelects = 4
        case instructions = 5
        case functionArguments = 6
        case attachedDatabases = 7
        case patternLength = 8
        case parameters = 9
        case triggerDepth = 10
        case workerThreads = 11
    }
}
