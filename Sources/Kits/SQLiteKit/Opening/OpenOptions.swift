/// How a database file is opened.
package struct OpenOptions: Sendable {
    package enum Mode: Sendable {
        /// The file must exist and is never written; neither is its folder, except for the `-shm` file of a WAL
        /// database.
        case readOnly
        /// The file must exist.
        case readWrite
        /// A missing file is created; an existing empty file is refused.
        case create
    }

    package var mode: Mode
    /// Assumes that the file does not change while it is open: no locks, no `-wal` file, works in a read-only folder.
    package var isImmutable = false
    /// Uses the existing `-shm` file of a WAL database, and never writes to it.
    package var keepsLogIndex = false
    /// How long a call waits for another connection's lock.
    package var busyTimeout: Duration = .seconds(5)
    /// Limits that are set before the file is read.
    package var limits: [Limit: Int] = [:]
    /// The name of a registered VFS; nil for the platform's default.
    package var vfs: String?

    package init(mode: Mode = .readWrite) { self.mode = mode }

    /// The categories of `sqlite3_limit`; the raw values are its codes.
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
